// The product as a customer and an operator see it: its API, and its tables read past everything.
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createStores, type Stores } from '#shared/store/stores.ts';

const mostTries = 5;
const againMs = 200;

/** Calls the API. @throws Error with the answer's text unless it is 2xx. */
export async function callApi<Answer>(
  { url, key }: { url: string; key: string },
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'PATCH' && { 'if-match': '*' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}\n${JSON.stringify(body)}`);
  return JSON.parse(text) as Answer;
}

/** A machine that is busy lets a function run out of time: what only reads is read again. */
export async function readAgain<Answer>(
  api: { url: string; key: string },
  path: string,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await callApi<Answer>(api, path);
    } catch (error) {
      if (tries === mostTries) throw error;
      await wait(againMs);
    }
  }
}

interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Every row of a list of the API. */
export async function listAll<Row>(
  api: { url: string; key: string },
  path: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after = '';
  for (;;) {
    const page = await readAgain<Page<Row>>(api, `${path}?limit=200${after}`);
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

/** Opens the two tables at the emulator itself. */
export async function openTables(endpoint: string): Promise<OpenTables> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const named = (part: string) => TableNames.find((name) => name.includes(part)) ?? '';
  const names = { WATCHLIST_TABLE: named('Watchlist'), SNAPSHOTS_TABLE: named('Snapshots') };
  const options = { marshallOptions: { removeUndefinedValues: true } };
  const stores = createStores(DynamoDBDocumentClient.from(client, options), names);
  return { stores, client, tables: Object.values(names), close: () => client.destroy() };
}
