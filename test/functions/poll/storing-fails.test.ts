// What a poll brought can't be stored: the feed fails like one whose call failed, what was paid counts
// once, and what can be stored is.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let fault: ((snapshot: Snapshot) => Error | undefined) | undefined;
let polling: Polling;

/** The stores, with every write of a snapshot failing as the test says. */
function failing(stores: Stores): Stores {
  const check = (snapshot: Snapshot) => {
    const error = fault?.(snapshot);
    if (error) throw error;
  };
  return {
    ...stores,
    snapshots: {
      ...stores.snapshots,
      createAll: async (rows, now) => {
        rows.forEach(check);
        return stores.snapshots.createAll(rows, now);
      },
      create: async (row, now) => {
        check(row);
        return stores.snapshots.create(row, now);
      },
      replace: async (row, now) => {
        check(row);
        return stores.snapshots.replace(row, now);
      },
    },
  };
}

beforeEach(async () => {
  tables = await startTestTables();
  fault = undefined;
  polling = openPolling(failing(tables.stores), 1);
  await polling.watch(1);
  polling.refresh(1, 100);
  return () => tables.stop();
});

const feed = () => tables.stores.feeds.find(1, 'stats');
const stored = () => tables.stores.snapshots.after({ eventId: 1, kind: 'stats' }, 0, 10);
const throttled = () => Object.assign(new Error('slow'), { name: 'ThrottlingException' });

describe('storing that fails for a while', () => {
  it('is a failure of the feed, paid once, and made good by itself', async () => {
    fault = throttled;
    const results = [];
    for (let minute = 0; minute < 40; minute += 1) results.push(...(await polling.minute()));

    expect(results.every(({ outcome }) => outcome === 'failed')).toBe(true);
    expect(results.length).toBeLessThan(8);
    expect(await feed()).toMatchObject({ failures: results.length, nextReason: 'backoff' });
    expect((await feed())?.setAside?.storing?.times).toBe(results.length);
    fault = undefined;
    for (let minute = 0; minute < 31; minute += 1) await polling.minute();
    expect(await stored()).toMatchObject([{ observedAt: startMs }]);
    expect(await feed()).toMatchObject({ failures: 0 });
    expect((await feed())?.setAside).toBeUndefined();
    const rows = await tables.stores.pulls.ofDay('2026-03-01');
    expect(rows.map(({ pulls }) => pulls)).toEqual([1]);
    expect(polling.charged()).toBe(1);
  });
});

describe('a memory of the feed that can never be stored', () => {
  it('is left out, and the news counts, is paid once and is matched', async () => {
    const finish = tables.stores.feeds.finishPoll;
    const failingFeeds: Stores['feeds'] = {
      ...tables.stores.feeds,
      finishPoll: async (key, claim, record) => {
        if (record.value) throw Object.assign(new Error('no'), { name: 'ValidationException' });
        return finish(key, claim, record);
      },
    };
    polling = openPolling({ ...tables.stores, feeds: failingFeeds }, 1);
    polling.refresh(1, 100);
    const results = await polling.minute();

    expect(results).toMatchObject([{ outcome: 'polled', newSnapshots: 1 }]);
    expect(await feed()).toMatchObject({ failures: 0, lastSnapshotAt: startMs });
    expect(polling.nudges).toEqual([{ eventId: 1, kind: 'stats' }]);
    expect(polling.charged()).toBe(1);
  });
});

describe('a snapshot that can never be stored', () => {
  it('is left out alone, and told', async () => {
    await polling.minute();
    fault = ({ observedAt }) =>
      observedAt === startMs + 2 * minuteMs ? new Error('no') : undefined;
    for (const price of [90, 80, 70]) {
      polling.clock.now += minuteMs;
      polling.refresh(1, price);
    }
    const results = await polling.minute();

    expect(results).toMatchObject([{ outcome: 'polled', setAside: 1 }]);
    expect((await stored()).map(({ observedAt }) => (observedAt - startMs) / minuteMs)).toEqual([
      0, 3, 4,
    ]);
    expect((await feed())?.setAside?.row?.reason).toBe(
      'The snapshot of 2026-03-01T12:02:00.000Z could not be stored and was left out.',
    );
  });

  it('loses only the zone that is at fault', async () => {
    polling.market.ingest.accept({
      listing_sets: [
        {
          event_id: 1,
          observed_at: '2026-03-01T12:00:30Z',
          listings: ['A', 'B', 'C'].map((zone, index) => ({
            ...{ listing_id: 13_000_000_001 + index, zone, section: '1', row: '1' },
            ...{ quantity: 2, price: 50 + index },
          })),
        },
      ],
    });
    fault = (snapshot) =>
      snapshot.feedKind === 'stats' && 'B' in snapshot.zones ? new Error('no') : undefined;
    await polling.minute();

    const newest = (await stored()).at(-1);
    expect(newest?.feedKind === 'stats' && Object.keys(newest.zones).sort()).toEqual(['A', 'C']);
    expect((await feed())?.setAside?.zone?.reason).toBe(
      'These zones could not be stored and were left out: "B".',
    );
  });
});
