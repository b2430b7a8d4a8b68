// Reconcile's care for feeds: past events, feeds that are not well, subscriptions that a crash left behind.
import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let polling: Polling;
let fault: (() => Response) | undefined;

beforeEach(async () => {
  tables = await startTestTables();
  fault = undefined;
  polling = openPolling(tables.stores, 2, {
    intercept: async (request, pass) =>
      fault && request.url.includes('/events/1/') ? fault() : pass(),
  });
  return () => tables.stop();
});

/** A whole round of the sweep. */
async function reconcileRound(): Promise<void> {
  for (let turn = 0; turn < 16; turn += 1) {
    polling.clock.now += 5 * minuteMs;
    await polling.reconcile();
  }
}

async function aWatch(watchId: string): Promise<void> {
  await tables.stores.watches.create({
    ...{ watchId, ownerId: 'own_00000000000000000000000000000abc', eventId: 1, rules: [] },
    ...{ channelIds: [], status: 'active', latencySeconds: 60, version: 1, tags: [] },
    ...{ createdAt: new Date(startMs).toISOString(), updatedAt: new Date(startMs).toISOString() },
  } as never);
}

/** Facts that the catalog's, read meanwhile, don't replace. */
const newerThanCatalog = startMs + 6 * 24 * hourMs;

const told = async () => {
  const shards = Array.from({ length: 16 }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) => tables.stores.notices.unsent(shard, polling.clock.now + hourMs, 100)),
  );
  return found.flat().map(({ kind, watchId }) => [kind, watchId]);
};

describe('a past event', () => {
  it('ends its feeds and tells its owner once, whatever feeds and watches there are', async () => {
    await aWatch('wat_1');
    await aWatch('wat_2');
    await polling.watch(1, 60, 'stats', 'wat_2');
    await polling.watch(1);
    await polling.watch(1, 60, 'listings');
    await tables.stores.eventFacts.keep({
      ...{ eventId: 1, name: 'Knicks at Nets', date: '2026-02-27', updatedAt: newerThanCatalog },
    });
    await reconcileRound();

    expect((await tables.stores.feeds.find(1, 'stats'))?.status).toBe('ended');
    expect((await tables.stores.feeds.find(1, 'listings'))?.status).toBe('ended');
    expect(await told()).toEqual([['recap', undefined]]);
  });

  it('asks for the last edits of the feeds whose messages are kept up to date, once', async () => {
    await aWatch('wat_1');
    await polling.watch(1);
    await polling.watch(1, 60, 'listings');
    await tables.stores.evaluations.nudge({ eventId: 1, kind: 'listings' });
    await tables.stores.livingMessages.mark({ eventId: 1, kind: 'stats' });
    await tables.stores.eventFacts.keep({
      ...{ eventId: 1, name: 'Knicks at Nets', date: '2026-02-27', updatedAt: newerThanCatalog },
    });
    await reconcileRound();
    await reconcileRound();

    expect(polling.edits).toEqual([{ edits: { eventId: 1, kind: 'stats', from: 0 } }]);
  });

  it('is not one whose date is today somewhere', async () => {
    await aWatch('wat_1');
    await polling.watch(1);
    await tables.stores.eventFacts.keep({
      ...{ eventId: 1, name: 'Knicks at Nets', date: '2026-03-01', updatedAt: newerThanCatalog },
    });
    await reconcileRound();

    expect((await tables.stores.feeds.find(1, 'stats'))?.status).toBe('active');
  });
});

describe('a feed that fails', () => {
  it('is one notice per watch, and one when it is well again; a price alert never', async () => {
    await aWatch('wat_1');
    await polling.watch(1);
    await polling.watch(2);
    polling.refresh(1, 100);
    fault = () => Response.json({ event_id: 'nonsense' });
    for (let minute = 0; minute < 45; minute += 1) {
      polling.refresh(2, 100 + minute);
      await polling.minute();
    }
    await polling.reconcile();
    await polling.reconcile();
    const unwell = (await told()).filter(([kind]) => kind === 'feed_unwell');
    fault = undefined;
    for (let minute = 0; minute < 40; minute += 1) await polling.minute();
    await polling.reconcile();
    await polling.reconcile();

    expect(unwell).toEqual([['feed_unwell', 'wat_1']]);
    expect((await told()).filter(([kind]) => kind === 'feed_well_again')).toEqual([
      ['feed_well_again', 'wat_1'],
    ]);
    expect((await told()).filter(([kind]) => kind === 'bad_data')).toHaveLength(1);
    const notice = await tables.stores.notices.find(`bad_data/2026-03-01/stats/data`);
    expect(notice?.text).toContain('{"event_id":string}');
    expect(notice?.text).not.toContain('nonsense');
  }, 60_000);
});

describe('an event that the marketplace does not know', () => {
  it('ends its feed and tells its watches', async () => {
    await tables.stores.subscriptions.add(
      { eventId: 999, kind: 'stats', watchId: 'wat_9', ownerId: 'own_1', latencySeconds: 60 },
      polling.clock.now,
    );
    const [result] = await polling.minute();

    expect(result).toMatchObject({ outcome: 'not_found' });
    expect((await tables.stores.feeds.find(999, 'stats'))?.status).toBe('not_found');
    expect(await told()).toEqual([['event_not_found', 'wat_9']]);
    expect((await polling.dispatch()).dispatched).toBe(0);
  });
});

describe('a wish without a live watch', () => {
  it('is ended, once its watch can’t be on its way any more', async () => {
    await aWatch('wat_1');
    await polling.watch(1, 300, 'stats', 'wat_1');
    await polling.watch(1, 60, 'stats', 'wat_never_made');
    await reconcileRound();

    expect(await tables.stores.feeds.find(1, 'stats')).toMatchObject({
      ...{ status: 'active', latencySeconds: 300 },
    });
  });
});

describe('the daily catalog', () => {
  it('brings the facts of watched events, with their start in the venue’s zone', async () => {
    await aWatch('wat_1');
    await polling.watch(1);
    await polling.reconcile();

    expect(await tables.stores.eventFacts.find(1)).toMatchObject({
      ...{ name: 'Event 1', date: '2026-12-24', time: '19:30', timeZone: 'America/New_York' },
      startsAt: Date.parse('2026-12-25T00:30:00Z'),
    });
    expect(await tables.stores.eventFacts.find(2)).toBeUndefined();
  });

  it('brings every event for searches, although nothing is watched', async () => {
    await polling.reconcile();

    const current = await tables.stores.catalog.current();
    const entries = current && (await tables.stores.catalog.read(current));
    expect(entries?.map(({ event_id, event_name }) => [event_id, event_name])).toContainEqual([
      1,
      'Event 1',
    ]);
  });
});
