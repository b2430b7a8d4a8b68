import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let client: TestTables['client'];
/** Every request to DynamoDB, by its operation. */
let requests: string[] = [];
/** Keys of the next answer to all that is as if DynamoDB had no room for them. */
let noRoomFor: string[] = [];

beforeAll(async () => {
  tables = await startDynaliteTables();
  for (const pk of ['a', 'b', 'c']) {
    await tables.client.send(
      new PutCommand({ TableName: 'Watchlist', Item: { pk, sk: '1', is: pk } }),
    );
  }
  await tables.client.send(
    new PutCommand({ TableName: 'Snapshots', Item: { pk: 'a', sk: '1', is: 'snapshot' } }),
  );
  tables.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        requests.push(String(commandName));
        const answer = await next(args);
        const output = answer.output as {
          Responses?: Record<string, { pk: string }[]>;
          UnprocessedKeys?: object;
        };
        const kept = output.Responses?.Watchlist;
        if (kept && noRoomFor.length > 0) {
          output.Responses = { Watchlist: kept.filter(({ pk }) => !noRoomFor.includes(pk)) };
          output.UnprocessedKeys = {
            Watchlist: { Keys: noRoomFor.map((pk) => ({ pk, sk: '1' })) },
          };
        }
        return answer;
      },
    { step: 'initialize', name: 'watching' },
  );
  client = gatherReads(tables.client);
});
afterAll(() => tables.stop());
beforeEach(() => {
  requests = [];
  noRoomFor = [];
});

async function read(pk: string, more: object = {}): Promise<unknown> {
  const input = { TableName: 'Watchlist', Key: { pk, sk: '1' }, ConsistentRead: true, ...more };
  return (await client.send(new GetCommand(input))).Item?.is;
}

describe('reads of one moment', () => {
  it('go as one request, each to who asked for it, what is not there and what is asked for twice too', async () => {
    const answers = await Promise.all(['b', 'a', 'gone', 'a'].map((pk) => read(pk)));
    expect(answers).toEqual(['b', 'a', undefined, 'a']);
    expect(requests).toEqual(['BatchGetItemCommand']);
  });

  it('of two tables go together', async () => {
    const answers = await Promise.all([read('a'), read('a', { TableName: 'Snapshots' })]);
    expect(answers).toEqual(['a', 'snapshot']);
    expect(requests).toEqual(['BatchGetItemCommand']);
  });

  it('of more than a hundred items go as several', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => `k${index}`);
    expect(await Promise.all(keys.map((pk) => read(pk)))).toHaveLength(150);
    expect(requests).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand']);
  });

  it('that ask for part of an item go by themselves', async () => {
    await Promise.all([read('a', { ProjectionExpression: 'pk' }), read('b')]);
    expect(requests.sort()).toEqual(['GetItemCommand', 'GetItemCommand']);
  });

  it('that the answer had no room for are read once more, by themselves', async () => {
    noRoomFor = ['b'];
    expect(await Promise.all(['a', 'b', 'c'].map((pk) => read(pk)))).toEqual(['a', 'b', 'c']);
    expect(requests).toEqual(['BatchGetItemCommand', 'GetItemCommand']);
  });

  it('fail together', async () => {
    const lost = { TableName: 'NoSuchTable' };
    const outcomes = await Promise.allSettled([read('a', lost), read('b', lost)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read('a')).toBe('a');
  });
});

it('sends a read that is alone as it is', async () => {
  expect(await read('a')).toBe('a');
  expect(await read('b')).toBe('b');
  expect(requests).toEqual(['GetItemCommand', 'GetItemCommand']);
});
