// Series in use over real tables: a series that is needed again is never dropped, in any order of the two writers.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import type { SeriesInUse } from '#shared/dynamo/series-in-use.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';
import { aTrigger } from '#test/support/triggers.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const eventId = 4711;
const getIn = 'stats/get_in';
const listings = 'stats/total_listings_active';

let tables: TestTables;
let store: Stores['seriesInUse'];

beforeEach(async () => {
  tables = await startDynaliteTables();
  store = tables.stores.seriesInUse;
  return () => tables.stop();
});

/** Marks the only series, and reads it as the writer that would drop it. */
async function marked(): Promise<SeriesInUse> {
  const [row] = await store.list(eventId);
  if (!row) throw new Error('there is no series');
  await store.mark(row, now);
  return { ...row, idleSince: now };
}

it('drops a series that is still marked as it was read, once', async () => {
  await store.need(aTrigger({ eventId, series: getIn }));
  const row = await marked();
  expect(await store.drop(row)).toBe(true);
  expect(await store.drop(row)).toBe(false);
  expect(await store.of(eventId)).toEqual([]);
});

it('keeps a series that is needed between the look and the drop', async () => {
  await store.need(aTrigger({ eventId, series: getIn }));
  const row = await marked();
  await store.need(aTrigger({ eventId, series: getIn }));
  expect(await store.drop(row)).toBe(false);
  expect(await store.list(eventId)).toEqual([{ eventId, series: getIn, askedBy: getIn }]);
});

it('keeps a series whatever the order in which needing, marking and dropping meet', async () => {
  for (let round = 0; round < 20; round += 1) {
    await store.need(aTrigger({ eventId, series: getIn }));
    const row = await marked();
    await Promise.all([
      store.drop(row),
      store.need(aTrigger({ eventId, series: getIn })),
      store.mark(row, now + 1),
      store.unmark(row),
    ]);
    expect(await store.of(eventId)).toEqual([getIn]);
  }
});

it('marks a series once, and never brings a dropped one back', async () => {
  await store.need(aTrigger({ eventId, series: getIn }));
  const row = await marked();
  expect(await store.mark(row, now + 1)).toBe(false);
  await store.drop(row);
  expect(await store.mark(row, now + 2)).toBe(false);
  expect(await store.unmark(row)).toBe(false);
  expect(await store.of(eventId)).toEqual([]);
});

it('tells by whom a series is asked for, and names it once to those who compute it', async () => {
  const condition = { series: listings, direction: 'down', level: 5 } as const;
  await store.need(aTrigger({ eventId, series: getIn, condition }));
  await store.need(aTrigger({ eventId, series: listings }));
  expect(await store.list(eventId)).toEqual([
    { eventId, series: getIn, askedBy: getIn },
    { eventId, series: listings, askedBy: listings },
    { eventId, series: listings, askedBy: getIn },
  ]);
  expect(await store.of(eventId)).toEqual([getIn, listings]);
});

it('reads a series that was stored before it was noted who asks', async () => {
  await tables.client.send(
    new PutCommand({
      TableName: tables.names.WATCHLIST_TABLE,
      Item: {
        ...{ pk: `EVENT#${eventId}`, sk: `SERIES#${getIn}`, entity: 'seriesInUse' },
        ...{ eventId, series: getIn },
      },
    }),
  );
  expect(await store.of(eventId)).toEqual([getIn]);
});

it('tells long series apart that begin alike, and drops each alone', async () => {
  const long = ['a', 'b'].map((end) => `stats/get_in/${'z'.repeat(2_000)}${end}`);
  const [first = '', second = ''] = long;
  await store.need(aTrigger({ eventId, series: first }));
  await store.need(aTrigger({ eventId, series: second }));
  expect((await store.of(eventId)).sort()).toEqual(long);
  const row = (await store.list(eventId)).find(({ series }) => series === first);
  if (!row) throw new Error('there is no series');
  await store.mark(row, now);
  expect(await store.drop({ ...row, idleSince: now })).toBe(true);
  expect(await store.of(eventId)).toEqual([second]);
});
