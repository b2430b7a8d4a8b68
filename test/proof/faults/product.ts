// The product as a customer and an operator see it: its API, and its tables read directly.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { documentClient } from '#shared/dynamo/document-client.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';

const mostTries = 5;
const againMs = 1_000;

interface Api {
  url: string;
  key: string;
}

/**
 * Calls the API: GET without a body, POST with one, or another `method`. On a busy machine a
 * function may time out, so the call is retried under the same key until it is answered.
 * @throws Error with the answer's text when it is refused, or never answered
 */
export async function callApi<Answer>(
  api: Api,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const idempotencyKey = randomUUID();
  for (let tries = 1; ; tries += 1) {
    const { status, text } = await callOnce(api, path, { body, method, idempotencyKey });
    if (status < 300) return JSON.parse(text) as Answer;
    const isLost = status >= 500 || (status === 409 && tries > 1);
    if (!isLost || tries === mostTries) {
      throw new Error(`${path}: ${status} ${text}\n${JSON.stringify(body)}`);
    }
    await wait(againMs);
  }
}

async function callOnce(
  { url, key }: Api,
  path: string,
  { body, method, idempotencyKey }: { body: unknown; method: string; idempotencyKey: string },
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'PATCH' && { 'if-match': '*' }),
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Every row of a list of the API. */
export async function listAll<Row>(api: Api, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let after = '';
  for (;;) {
    const page = await callApi<Page<Row>>(api, `${path}?limit=200${after}`);
    rows.push(...page.data);
    if (!page.has_more || page.next_cursor === null) return rows;
    after = `&starting_after=${encodeURIComponent(page.next_cursor)}`;
  }
}

export interface OpenTables {
  stores: Stores;
  client: DynamoDBClient;
  /** The tables' names. */
  tables: readonly string[];
  close(): void;
}

/** Opens the two tables directly at the emulator. */
export async function openTables(endpoint: string): Promise<OpenTables> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const named = (part: string) => TableNames.find((name) => name.includes(part)) ?? '';
  const names = { WATCHLIST_TABLE: named('Watchlist'), SNAPSHOTS_TABLE: named('Snapshots') };
  const stores = openStores(documentClient(client), names, everyStore);
  return { stores, client, tables: Object.values(names), close: () => client.destroy() };
}
