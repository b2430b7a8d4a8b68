// The simulated DynamoDB answers as dynalite does, and has the limits and latencies that dynalite has not.
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPolling } from '../polling.ts';
import { startDynaliteTables, type TestTables } from '../tables.ts';
import { entryOf, keyOf } from './simulated-table.ts';
import { openSimulatedTables } from './simulated-tables.ts';
import { SimulatedTime } from './simulated-time.ts';

const TableName = 'Watchlist';
const startMs = Date.parse('2026-03-01T12:00:00Z');

let tables: TestTables;
let time: SimulatedTime;
let simulated: ReturnType<typeof openSimulatedTables>;
let restore = () => {};

beforeEach(async () => {
  tables = await startDynaliteTables();
  time = new SimulatedTime(startMs);
  restore = time.takeTimers();
  simulated = openSimulatedTables(time);
});
afterEach(async () => {
  restore();
  await tables.stop();
});

interface Asked {
  names?: Record<string, string>;
  values?: Record<string, unknown>;
  returns?: 'ALL_NEW' | 'ALL_OLD';
  condition?: string;
}

function update(key: [string, string], expression: string, asked: Asked = {}) {
  const { names, values, returns, condition } = asked;
  return new UpdateCommand({
    ...{ TableName, Key: { pk: key[0], sk: key[1] }, UpdateExpression: expression },
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
    ReturnValues: returns ?? 'ALL_NEW',
  });
}

function put(Item: Record<string, unknown>, asked: Asked = {}) {
  const { names, values, condition } = asked;
  return new PutCommand({
    ...{ TableName, Item },
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  });
}

function query(condition: string, values: Record<string, unknown>, more: object = {}) {
  return new QueryCommand({
    ...{ TableName, KeyConditionExpression: condition, ExpressionAttributeValues: values, ...more },
  });
}

const feed = (n: number) => ({
  ...{ pk: `EVENT#${n}`, sk: 'FEED#stats', dueShard: 'stats#01', nextPollAt: n * 10, count: n },
  ...{ tags: ['a', { deep: n }], map: { inner: { n, text: 'ü' } }, flag: n % 2 === 0, none: null },
});
const one: [string, string] = ['EVENT#1', 'FEED#stats'];
const given = [1, 2, 3, 4, 5, 11].map((n) => put(feed(n)));

/** Each is carried out after the ones before it, on both. */
const requests: Record<string, { input: object }> = {
  'a read': new GetCommand({ TableName, Key: { pk: one[0], sk: one[1] } }),
  'a read of nothing': new GetCommand({ TableName, Key: { pk: 'EVENT#9', sk: 'x' } }),
  'a put whose condition fails': put(feed(1), { condition: 'attribute_not_exists(pk)' }),
  'a put under a missing attribute': put(feed(1), {
    condition: 'attribute_not_exists(unset) AND #c <> :v',
    names: { '#c': 'count' },
    values: { ':v': 2 },
  }),
  'set, add and remove together': update(
    one,
    'SET #m.#i.n = if_not_exists(#m.#i.gone, :zero) + :two, tags = list_append(tags, :more) ADD #c :two REMOVE flag',
    {
      names: { '#m': 'map', '#i': 'inner', '#c': 'count' },
      values: { ':two': 2, ':zero': 0, ':more': ['b'] },
    },
  ),
  'a place of a list removed': update(one, 'REMOVE tags[0]'),
  'an add to nothing': update(['EVENT#7', 'NEW'], 'ADD #c :v', {
    names: { '#c': 'count' },
    values: { ':v': 3 },
  }),
  'an add to a text': update(one, 'ADD sk2 :v', { values: { ':v': 1 } }),
  'a sum with a missing attribute': update(one, 'SET a = unset + :v', { values: { ':v': 1 } }),
  'a place in a missing map': update(one, 'SET gone.inner = :v', { values: { ':v': 1 } }),
  'an add to another type': update(one, 'ADD dueShard :v', { values: { ':v': 1 } }),
  'a condition of many forms': update(one, 'SET seen = :v', {
    condition:
      '(attribute_type(#m, :type) AND begins_with(dueShard, :pre)) AND (NOT (nextPollAt > :big) AND #c BETWEEN :v AND :big AND size(tags) >= :v AND #c IN (:v, :three))',
    names: { '#m': 'map', '#c': 'count' },
    values: { ':v': 1, ':three': 3, ':big': 100, ':type': 'M', ':pre': 'stats' },
  }),
  'a comparison of two types': update(one, 'SET seen = :v', {
    condition: 'dueShard > :v OR unset < :v',
    values: { ':v': 1 },
  }),
  'a name of a list with a place': update(one, 'SET seen = :v', {
    condition: 'tags[0].deep = :v AND contains(tags, :b)',
    values: { ':v': 1, ':b': 'b' },
  }),
  'the item as it was': update(one, 'SET seen = :v', { values: { ':v': 5 }, returns: 'ALL_OLD' }),
  'moved in its index': update(['EVENT#2', 'FEED#stats'], 'SET nextPollAt = :v', {
    values: { ':v': 45 },
  }),
  'out of its index': update(['EVENT#3', 'FEED#stats'], 'REMOVE dueShard'),
  'an index by time': query(
    'dueShard = :s AND nextPollAt <= :t',
    { ':s': 'stats#01', ':t': 45 },
    { IndexName: 'due' },
  ),
  'an index from a time on, backwards': query(
    'dueShard = :s AND nextPollAt > :t',
    { ':s': 'stats#01', ':t': 10 },
    { IndexName: 'due', ScanIndexForward: false },
  ),
  'an index between times': query(
    'dueShard = :s AND nextPollAt BETWEEN :t AND :u',
    { ':s': 'stats#01', ':t': 40, ':u': 50 },
    { IndexName: 'due' },
  ),
  'a page': query('dueShard = :s', { ':s': 'stats#01' }, { IndexName: 'due', Limit: 2 }),
  'the next page': query(
    'dueShard = :s',
    { ':s': 'stats#01' },
    {
      IndexName: 'due',
      Limit: 2,
      ExclusiveStartKey: { pk: 'EVENT#4', sk: 'FEED#stats', dueShard: 'stats#01', nextPollAt: 40 },
    },
  ),
  'a filter': query(
    'dueShard = :s',
    { ':s': 'stats#01', ':yes': true },
    { IndexName: 'due', FilterExpression: 'flag = :yes' },
  ),
  'a count': query('dueShard = :s', { ':s': 'stats#01' }, { IndexName: 'due', Select: 'COUNT' }),
  'a projection': query(
    'pk = :p AND begins_with(sk, :f)',
    { ':p': 'EVENT#4', ':f': 'FEED#' },
    {
      ProjectionExpression: '#c, nextPollAt, unset',
      ExpressionAttributeNames: { '#c': 'count' },
    },
  ),
  'an index that is not there': query('dueShard = :s', { ':s': 'x' }, { IndexName: 'none' }),
  'a delete under a condition': new DeleteCommand({
    ...{ TableName, Key: { pk: 'EVENT#5', sk: 'FEED#stats' }, ReturnValues: 'ALL_OLD' },
    ...{ ConditionExpression: '#c = :v', ExpressionAttributeNames: { '#c': 'count' } },
    ExpressionAttributeValues: { ':v': 5 },
  }),
  'a delete of nothing': new DeleteCommand({ TableName, Key: { pk: 'EVENT#5', sk: 'none' } }),
  'a batch of reads': new BatchGetCommand({
    RequestItems: {
      [TableName]: { Keys: [4, 5, 11].map((n) => ({ pk: `EVENT#${n}`, sk: 'FEED#stats' })) },
    },
  }),
};

/** The answer without what belongs to the connection; the error's name where it is refused. */
async function answerOf(client: DynamoDBDocumentClient, command: { input: object }) {
  try {
    const { $metadata, ConsumedCapacity, ...answer } = (await client.send(
      command as never,
    )) as Record<string, unknown>;
    return sorted(answer);
  } catch (error) {
    return (error as Error).name;
  }
}

/** A batch has no order. */
function sorted(answer: Record<string, unknown>): unknown {
  const { Responses: found } = answer as { Responses?: Record<string, { pk: string }[]> };
  const rows = found?.[TableName]?.toSorted((a, b) => (a.pk < b.pk ? -1 : 1));
  return rows ? { rows } : answer;
}

it('answers each request as dynalite does, on items that the requests before have changed', async () => {
  for (const command of given) {
    await answerOf(tables.client, command);
    await answerOf(simulated.client, command);
  }
  const answers: Record<'dynalite' | 'simulated', unknown[]> = { dynalite: [], simulated: [] };
  for (const [name, command] of Object.entries(requests)) {
    answers.dynalite.push([name, await answerOf(tables.client, command)]);
    answers.simulated.push([name, await answerOf(simulated.client, command)]);
  }
  expect(answers.simulated).toEqual(answers.dynalite);
});

it('polls and reconciles an event as over dynalite', async () => {
  const run = async (stores: TestTables['stores']) => {
    const polling = openPolling(stores, 1);
    await polling.reconcile();
    await polling.watch(1);
    for (let minute = 0; minute < 6; minute += 1) {
      if (minute % 2 === 0) polling.refresh(1, 100 + minute);
      await polling.minute();
    }
    polling.clock.now += 3_600_000;
    const { account, budget } = await polling.reconcile();
    const { claim, nextWhy, ...stored } = (await stores.feeds.find(1, 'stats')) ?? {};
    return {
      account,
      budget,
      stored,
      snapshots: await stores.snapshots.between({ eventId: 1, kind: 'stats' }, 0, 2e12),
    };
  };
  const expected = await run(tables.stores);
  expect(expected.account).toEqual({ ledgerPulls: 3, usagePulls: 3, drift: false });
  expect(await run(simulated.stores)).toEqual(expected);
});

describe('what dynalite has not', () => {
  it('is the time that AWS takes, which no test waits for', async () => {
    for (let n = 0; n < 1_000; n += 1) await simulated.client.send(put(feed(n)));
    expect(time.waitedMs).toBeGreaterThanOrEqual(4_000);
    await Promise.all([1, 2, 3].map((n) => simulated.client.send(put(feed(n)))));
    expect(simulated.counts()).toMatchObject({ requests: 1_003, byOperation: { PutItem: 1_003 } });
  });

  it('refuses more than 1,000 write units a second for one partition, and the SDK tries again', async () => {
    const text = 'x'.repeat(300_000);
    const writes = Array.from({ length: 40 }, async (_, n) => {
      try {
        await simulated.client.send(put({ pk: 'HOT', sk: String(n), text }));
        return 'stored';
      } catch (error) {
        return (error as Error).name;
      }
    });
    const outcomes = await Promise.all(writes);
    expect(simulated.counts().throttled).toBeGreaterThan(0);
    expect(new Set(outcomes)).toEqual(
      new Set(['stored', 'ProvisionedThroughputExceededException']),
    );
  });

  it('refuses an item of more than 400 KB', async () => {
    const send = simulated.client.send(put({ pk: 'BIG', sk: 'x', text: 'x'.repeat(410_000) }));
    await expect(send).rejects.toThrow('maximum allowed size');
  });

  it('ends a page after 1 MB of what is read, also of a table that is made when it is read', async () => {
    const text = 'x'.repeat(1_000);
    const entryAt = (n: number) => {
      const sk = String(n).padStart(6, '0');
      const item = { pk: { S: 'DAY' }, sk: { S: sk }, text: { S: text } };
      return entryOf(item, sk, keyOf('DAY', sk));
    };
    const stock = {
      find: (pk: string, sk: string) => (pk === 'DAY' ? entryAt(Number(sk)) : undefined),
      partition: (index: string | undefined, value: string) =>
        index === undefined && value === 'DAY' ? { count: 3_000, entryAt } : undefined,
    };
    const { client } = openSimulatedTables(time, { watchlist: stock });
    await client.send(
      update(['DAY', '000001'], 'SET #t = :v', {
        names: { '#t': 'text' },
        values: { ':v': 'new' },
      }),
    );
    await client.send(new DeleteCommand({ TableName, Key: { pk: 'DAY', sk: '000002' } }));
    const rows: Record<string, unknown>[] = [];
    let pages = 0;
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        query('pk = :p', { ':p': 'DAY' }, { ExclusiveStartKey: start }),
      );
      rows.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
      pages += 1;
    } while (start);
    expect([rows.length, pages]).toEqual([2_999, 3]);
    expect(rows.slice(0, 3).map(({ sk, text: held }) => [sk, String(held).slice(0, 3)])).toEqual([
      ['000000', 'xxx'],
      ['000001', 'new'],
      ['000003', 'xxx'],
    ]);
  });
});
