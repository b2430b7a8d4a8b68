// One suite for the stores of dispatch and poll, run against DynamoDB's emulator and against the memory
// stores that simulations use.
import { beforeEach, describe, expect, it } from 'vitest';
import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { reservationKey } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { holdBucket } from '#shared/polling/market-state.ts';
import {
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';
import { startDynaliteTables } from '#test/support/tables.ts';

interface StoresUnderTest {
  feeds: FeedStore;
  budget: BudgetStore;
  marketState: MarketStateStore;
  stop: () => Promise<void>;
}

const makers: Record<string, () => Promise<StoresUnderTest>> = {
  DynamoDB: async () => {
    const { stores, stop } = await startDynaliteTables();
    return { ...stores, stop };
  },
  memory: async () => ({
    feeds: createMemoryFeedStore(),
    budget: createMemoryBudgetStore(),
    marketState: createMemoryMarketStateStore(),
    stop: async () => {},
  }),
};

const key = { eventId: 7, kind: 'stats' } as const;
const shard = shardOf('7');
const now = Date.parse('2026-03-01T12:00:00Z');
const caps = { daily: 10, monthly: 15 };
const quiet = { nextReason: 'test', failures: 0, micropulls: 0, settles: true };

describe.each(Object.entries(makers))('stores of polling in %s', (_name, make) => {
  let stores: StoresUnderTest;
  beforeEach(async () => {
    stores = await make();
    return () => stores.stop();
  });

  const theFeed = async (): Promise<Feed> => {
    const feed = await stores.feeds.find(7, 'stats');
    if (!feed) throw new Error('the feed is not there');
    return feed;
  };
  const dueIds = async (at: number) =>
    (await stores.feeds.due('stats', shard, at)).map(({ eventId }) => eventId);

  it('make a feed due at once, and quicker but never slower by another wish', async () => {
    await stores.feeds.wake(key, 300, now);
    await stores.feeds.wake(key, 60, now + 1);
    await stores.feeds.wake(key, 900, now + 2);

    expect(await theFeed()).toMatchObject({
      ...{ status: 'active', latencySeconds: 60, wishVersion: 3 },
      ...{ nextPollAt: now + 2, watchersChangedAt: now + 2 },
    });
    expect(await dueIds(now + 1)).toEqual([]);
    expect(await dueIds(now + 2)).toEqual([7]);
  });

  it('give a claim to one, until its lease runs out', async () => {
    await stores.feeds.wake(key, 60, now);
    const feed = await theFeed();

    expect(await stores.feeds.claim(feed, 'a', now + 1_000)).toBe(true);
    expect(await stores.feeds.claim(feed, 'b', now + 1_000)).toBe(false);
    expect(await dueIds(now)).toEqual([]);
    expect(await dueIds(now + 1_000)).toEqual([7]);
  });

  it('let a claim call once, and a later claim replace a call that was lost', async () => {
    await stores.feeds.wake(key, 60, now);
    await stores.feeds.claim(await theFeed(), 'a', now + 1_000);

    expect(await stores.feeds.beginCall(await theFeed(), 'b', now)).toBe(false);
    const before = await theFeed();
    expect(await stores.feeds.beginCall(before, 'a', now)).toBe(true);
    expect(await stores.feeds.beginCall(before, 'a', now)).toBe(false);
    await stores.feeds.claim(await theFeed(), 'b', now + 2_000);
    expect(await stores.feeds.beginCall(await theFeed(), 'b', now + 5)).toBe(true);
    expect((await theFeed()).call).toEqual({ claim: 'b', at: now + 5 });
  });

  it('record a poll under its claim only, and keep what the record leaves out', async () => {
    await stores.feeds.wake(key, 60, now);
    await stores.feeds.claim(await theFeed(), 'a', now + 1_000);
    await stores.feeds.beginCall(await theFeed(), 'a', now);
    const record = {
      ...quiet,
      ...{ nextPollAt: now + 60_000, lastPolledAt: now, lastSnapshotAt: now - 5, lastPaidAt: now },
      ...{ rhythm: { gapsMs: [5, 6], lastRefreshAt: now - 5 }, micropulls: 500_000 },
      ...{ ownerIds: ['own_1'], owesNudge: true },
    };

    expect(await stores.feeds.finishPoll(key, 'b', record)).toBeUndefined();
    expect(await stores.feeds.finishPoll(key, 'a', record)).toMatchObject({ lastPolledAt: now });
    await stores.feeds.claim(await theFeed(), 'c', now + 2_000);
    await stores.feeds.finishPoll(key, 'c', { ...quiet, nextPollAt: now + 9, ownerIds: 'many' });
    const feed = await theFeed();
    expect(feed).toMatchObject({ lastSnapshotAt: now - 5, sharedMicropulls: 500_000 });
    expect(feed.rhythm).toEqual({ gapsMs: [5, 6], lastRefreshAt: now - 5 });
    expect([feed.claim, feed.call, feed.ownerIds]).toEqual([undefined, undefined, undefined]);
    expect(feed.owesNudge).toBe(true);
    await stores.feeds.clearNudge(key);
    expect((await theFeed()).owesNudge).toBeUndefined();
  });

  it('poll a waiting feed sooner, not one that is being polled', async () => {
    await stores.feeds.wake(key, 60, now);
    await stores.feeds.claim(await theFeed(), 'a', now + 1_000);
    expect(await stores.feeds.pollSooner(key, now)).toBe(false);
    await stores.feeds.finishPoll(key, 'a', { ...quiet, nextPollAt: now + 60_000 });
    expect(await stores.feeds.pollSooner(key, now)).toBe(true);
    expect(await stores.feeds.pollSooner(key, now)).toBe(false);
    expect(await dueIds(now)).toEqual([7]);
  });

  it('settle the strongest wish unless the subscriptions changed meanwhile', async () => {
    await stores.feeds.wake(key, 60, now);
    const stale = await theFeed();
    await stores.feeds.wake(key, 60, now);
    expect(await stores.feeds.setLatency(stale, 900)).toBe(false);
    expect(await stores.feeds.setLatency(await theFeed(), 900)).toBe(true);
    expect((await theFeed()).latencySeconds).toBe(900);
    expect(await stores.feeds.setLatency(await theFeed(), undefined)).toBe(true);
    expect((await theFeed()).status).toBe('idle');
    expect(await dueIds(now + 1e9)).toEqual([]);
  });

  it('take a retired feed out of the due index and let it wake again', async () => {
    await stores.feeds.wake(key, 60, now);
    await stores.feeds.retire(key, 'not_found');
    expect(await stores.feeds.active('stats', shard)).toEqual([]);
    await stores.feeds.wake(key, 120, now + 5);
    expect(await theFeed()).toMatchObject({ status: 'active', latencySeconds: 120 });
    expect(await dueIds(now + 5)).toEqual([7]);
  });

  it('reserve no more than the caps leave, however many ask at once', async () => {
    const reservation = reservationKey(now + 300_000, 'stats');
    const asks = Array.from({ length: 6 }, () =>
      stores.budget.reserve({ key: reservation, wanted: 3, caps }, now),
    );
    const granted = await Promise.all(asks);

    expect(granted.reduce((sum, each) => sum + each, 0)).toBe(10);
    expect(await stores.budget.read()).toMatchObject({ dayCommitted: 10, daySpent: 0 });
  });

  it('count what was spent and give back what was not', async () => {
    const reservation = reservationKey(now + 300_000, 'stats');
    await stores.budget.reserve({ key: reservation, wanted: 4, caps }, now);
    await stores.budget.commitReservation(reservation, { reserved: 1, spent: 1 });
    await stores.budget.commitReservation(reservation, { reserved: 2, spent: 0 });

    expect(await stores.budget.read()).toMatchObject({
      dayCommitted: 2,
      daySpent: 1,
      periodSpent: 1,
    });
    expect((await stores.budget.current(now + 300_000)).dayCommitted).toBe(1);
    await stores.budget.commitReservation(reservation, { reserved: 1, spent: 1 });
    expect(await stores.budget.read()).toMatchObject({ dayCommitted: 2, daySpent: 2 });
  });

  it('begin a day with nothing spent, and the period with what it has', async () => {
    const reservation = reservationKey(now + 300_000, 'stats');
    await stores.budget.reserve({ key: reservation, wanted: 4, caps }, now);
    await stores.budget.commitReservation(reservation, { reserved: 4, spent: 4 });
    const tomorrow = await stores.budget.current(now + 86_400_000);

    expect(tomorrow).toMatchObject({ daySpent: 0, dayCommitted: 0, periodSpent: 4 });
  });

  it('take a recount over unless something was spent since', async () => {
    const before = await stores.budget.current(now);
    const period = { start: now - 5, end: now + 1e9 };
    expect(await stores.budget.recount(before, { daySpent: 3, periodSpent: 7, period })).toBe(true);
    expect(await stores.budget.recount(before, { daySpent: 9, periodSpent: 9, period })).toBe(
      false,
    );
    expect(await stores.budget.read()).toMatchObject({
      ...{ daySpent: 3, dayCommitted: 3, periodSpent: 7, periodStart: now - 5 },
    });
  });

  it('change the market state one after another, and not for nothing', async () => {
    const hold = (until: number) =>
      stores.marketState.change((state) => holdBucket(state, 'listings', until));
    await Promise.all([1, 2, 3, 4].map((each) => hold(now + each)));
    await stores.marketState.change((state) => state);

    expect(await stores.marketState.read()).toMatchObject({
      version: 4,
      notBefore: { listings: now + 4 },
    });
  });
});
