// A DynamoDB client that asks the emulated tables once for each read and then gives the same answer again, after the
// time that AWS takes: so that a bench measures the work and not the emulator. Writes reach the tables.
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { awsLatencyMs } from './replayed-tables.ts';

type Row = Record<string, unknown>;

interface Answer {
  Item?: Row;
  Items?: Row[];
  Responses?: Record<string, Row[]>;
}

/** As it comes over the wire, so that each answer is parsed again. */
const toWire = (row: Row): string =>
  JSON.stringify(marshall(row, { removeUndefinedValues: true }), (_, value) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
  );

function fromWire(text: string): Row {
  const row = JSON.parse(text) as Record<string, never>;
  for (const value of Object.values(row) as { B?: { bytes: string } }[]) {
    if (value.B) Object.assign(value, { B: Buffer.from(value.B.bytes, 'base64') });
  }
  return unmarshall(row);
}

/** @returns a function that makes the answer anew, from what came over the wire */
function remembered(answer: Answer): () => Answer {
  const { Item, Items, Responses, ...rest } = answer;
  const item = Item && toWire(Item);
  const items = Items?.map(toWire);
  const byTable = Object.entries(Responses ?? {}).map(([table, rows]) => ({
    table,
    rows: rows.map(toWire),
  }));
  return () => ({
    ...rest,
    ...(item !== undefined && { Item: fromWire(item) }),
    ...(items && { Items: items.map(fromWire) }),
    ...(Responses && {
      Responses: Object.fromEntries(byTable.map(({ table, rows }) => [table, rows.map(fromWire)])),
    }),
  });
}

/** @param counted counts the requests */
export function rememberReads(
  client: DynamoDBDocumentClient,
  counted: { requests: number } = { requests: 0 },
): DynamoDBDocumentClient {
  const answers = new Map<string, () => Answer>();
  const send = async (command: { input: object; constructor: { name: string } }) => {
    const { name } = command.constructor;
    counted.requests += 1;
    if (!/Get|Query/.test(name)) return client.send(command as never);
    const question = `${name} ${JSON.stringify(command.input)}`;
    let answer = answers.get(question);
    if (!answer) {
      answer = remembered((await client.send(command as never)) as Answer);
      answers.set(question, answer);
    }
    await wait(/Batch|Query/.test(name) ? awsLatencyMs.many : awsLatencyMs.single);
    return answer();
  };
  return Object.create(client, { send: { value: send } });
}
