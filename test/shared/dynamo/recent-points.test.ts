// The recent values of a number: raw ones where they reach far enough back, else rolled-up ones before them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecentPoints } from '#shared/dynamo/recent-points.ts';
import { createRollUp } from '#shared/dynamo/roll-up.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, startMs } from '#test/support/pipeline.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const hour = 3_600_000;
const day = 24 * hour;
const base = parseSeries('stats/get_in').base;
let tables: TestTables;
let event = 0;

beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());

/** Stores prices in dollars by their hour, which may be negative; null for an empty market. */
async function stored(prices: [hour: number, dollars: number | null][]) {
  event += 1;
  const rows = prices.map(([at, dollars]) =>
    snapshotFromStats(event, aSnapshot(startMs + at * hour, dollars)),
  );
  await tables.stores.snapshots.createAll(rows, startMs);
  return { eventId: event, kind: 'stats' } as const;
}

async function pointsOf(feed: { eventId: number; kind: 'stats' }, most?: number) {
  const recent = createRecentPoints(tables.stores, most);
  const snapshots = await recent.recentSnapshots(feed, startMs);
  const points = await recent.pointsOf(feed, base, snapshots, startMs);
  return points.map(([at, value]) => [(at - startMs) / hour, value / 100]);
}

describe('the recent values of a number', () => {
  it('are those of the last seven days, without the times when there was none', async () => {
    const feed = await stored([
      ...([
        [-200, 90],
        [-167, 100],
        [-20, 95],
      ] as [number, number][]),
      ...([
        [-10, null],
        [0, 80],
        [2, 10],
      ] as [number, number | null][]),
    ]);
    expect(await pointsOf(feed)).toEqual([
      [-167, 100],
      [-20, 95],
      [0, 80],
    ]);
  });

  it('leave out a price that the next snapshot did not confirm', async () => {
    const feed = await stored([
      [-4, 100],
      [-3, 1],
      [-2, 101],
      [0, 99],
    ]);
    expect(await pointsOf(feed)).toEqual([
      [-4, 100],
      [-2, 101],
      [0, 99],
    ]);
  });

  it('are the newest snapshots alone if there are many and none are rolled up', async () => {
    const feed = await stored([
      [-30, 110],
      [-20, 105],
      [-10, 100],
      [0, 95],
    ]);
    expect(await pointsOf(feed, 2)).toEqual([
      [-10, 100],
      [0, 95],
    ]);
  });

  it('go on in the rollups before the newest snapshots', async () => {
    const feed = await stored([
      [-180, 120],
      [-30, 110],
      [-20, 105],
      [-10, 100],
      [0, 95],
    ]);
    const rollUp = createRollUp(tables.stores);
    const request = { feed, base: 'stats/get_in', now: startMs };
    await rollUp({ ...request, spanMs: 8 * day, through: startMs });
    expect(await pointsOf(feed, 2)).toEqual([
      [-30, 110],
      [-20, 105],
      [-10, 100],
      [0, 95],
    ]);
  });

  it('leave out rollups that end before the newest snapshots, with a gap between', async () => {
    const feed = await stored([
      [-30, 110],
      [-20, 105],
      [-10, 100],
      [0, 95],
    ]);
    const rollUp = createRollUp(tables.stores);
    const request = { feed, base: 'stats/get_in', now: startMs };
    await rollUp({ ...request, spanMs: 8 * day, through: startMs - 25 * hour });
    expect(await pointsOf(feed, 2)).toEqual([
      [-10, 100],
      [0, 95],
    ]);
  });
});
