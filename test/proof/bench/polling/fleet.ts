// Getin's own polling on a virtual clock: the real dispatch, poll, cadence, turns and matching over
// memory stores, minute by minute.
import { createDispatch } from '#functions/dispatch/dispatch.ts';
import { createLookAhead } from '#functions/poll/look-ahead.ts';
import { createPoll } from '#functions/poll/poll.ts';
import { createRecordCallCost } from '#functions/poll/record-call-cost.ts';
import { createStoreNews } from '#functions/poll/store-news.ts';
import { createGiveTurns } from '#functions/reconcile/give-turns.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import type { Subscription } from '#shared/polling/subscription.ts';
import {
  allShards,
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';
import type { Market } from './market.ts';
import { type FleetRun, type ServedMarket, serveMarket } from './served-market.ts';
import type { Watcher } from './watchers.ts';

const minuteMs = 60_000;
/** As reconcile does. */
const turnsEveryMs = 5 * minuteMs;
/** The marketplace's bucket, raised so that only the budget limits polling (facts.md: 500 a minute). */
const calls = { limit: 1_000_000, windowSeconds: 60 };

interface FleetOptions {
  /** Whether an event's first pull costs nothing. @default false */
  isFirstFree?: boolean;
  /** When the watches of an event are made, epoch milliseconds. @default the market's start */
  watchedFrom?: (eventId: number) => number;
  /** Whether nothing of ours runs in a minute. @default always running */
  isDown?: (now: number) => boolean;
}

/** Runs the whole fleet over the market's time. */
export async function runFleet(
  market: Market,
  watchers: readonly Watcher[],
  caps: Caps,
  {
    isFirstFree = false,
    watchedFrom = () => market.startMs,
    isDown = () => false,
  }: FleetOptions = {},
): Promise<FleetRun> {
  const clock = { now: market.startMs };
  const byEvent = Map.groupBy(watchers, ({ eventId }) => eventId);
  const served = serveMarket(market, byEvent, { isFirstFree });
  const fleet = createFleet({ served, byEvent, clock, caps });
  await fleet.start();
  const waiting = new Set(byEvent.keys());
  for (; clock.now < market.endMs; clock.now += minuteMs) {
    const watched = [...waiting].filter((eventId) => watchedFrom(eventId) <= clock.now);
    for (const eventId of watched) {
      waiting.delete(eventId);
      await fleet.watch(eventId);
    }
    if (isDown(clock.now)) continue;
    if ((clock.now - market.startMs) % turnsEveryMs === 0) await fleet.turns();
    await fleet.minute();
  }
  return served.run;
}

interface FleetParts {
  served: ServedMarket;
  byEvent: Map<number, Watcher[]>;
  clock: { now: number };
  caps: Caps;
}

function createFleet({ served, byEvent, clock, caps }: FleetParts) {
  const feeds = createMemoryFeedStore();
  const budget = createMemoryBudgetStore();
  const marketState = createMemoryMarketStateStore();
  const queue: PollMessage[] = [];
  const dispatch = createDispatch({
    ...{ feeds, budget, marketState },
    readLimits: async () => ({ caps, exhausted: new Set() }),
    sendToPoll: async (messages) => {
      queue.push(...messages.map(({ body }) => body as PollMessage));
    },
  });
  const poll = composeBenchPoll({ served, byEvent, clock }, { feeds, budget, marketState });
  const giveTurns = createGiveTurns({ feeds, budget });

  return {
    async start(): Promise<void> {
      await marketState.change((state) => ({ ...state, limits: { events_stats: calls } }));
    },
    async watch(eventId: number): Promise<void> {
      const live = served.live.get(eventId);
      const watchers = byEvent.get(eventId);
      if (!live || !watchers) return;
      const latency = Math.min(...watchers.map(({ latencySeconds }) => latencySeconds));
      const key = { eventId, kind: 'stats' } as const;
      await feeds.wake(key, latency, clock.now);
      await feeds.note(key, { eventStartsAt: live.event.startsAt });
    },
    async turns(): Promise<void> {
      const all = (
        await Promise.all(allShards.map((shard) => feeds.active('stats', shard)))
      ).flat();
      const isOver = ({ eventStartsAt = 0 }: Feed) => eventStartsAt < clock.now;
      for (const feed of all.filter(isOver)) await feeds.retire(feed, 'ended');
      const terms = {
        ...{ budget: await budget.current(clock.now), caps, freeWhenQuiet: true },
        exhausted: new Set<string>(),
      };
      await giveTurns(
        all.filter((feed) => !isOver(feed)),
        { ...terms, share: 1, now: clock.now },
      );
    },
    async minute(): Promise<void> {
      await dispatch('stats', String(clock.now), clock.now);
      for (const message of queue.splice(0)) {
        await poll(message, { now: () => clock.now, remainingMs: () => minuteMs });
      }
    },
  };
}

interface MemoryStores {
  feeds: ReturnType<typeof createMemoryFeedStore>;
  budget: ReturnType<typeof createMemoryBudgetStore>;
  marketState: ReturnType<typeof createMemoryMarketStateStore>;
}

/** The real poll over a served market; each nudge is evaluated at once. */
function composeBenchPoll(
  { served, byEvent, clock }: Omit<FleetParts, 'caps'>,
  { feeds, budget, marketState }: MemoryStores,
) {
  const subscriptions = {
    of: async ({ eventId }: Pick<Feed, 'eventId'>) =>
      (byEvent.get(eventId) ?? []).map(({ watchId }) => ({
        watchId,
        ownerId: 'own_1',
      })) as Subscription[],
  };
  const pulls = { create: async () => true };
  const recordCallCost = createRecordCallCost({ subscriptions, budget, pulls });
  const nothing = { snapshots: [], refreshes: [], isComplete: false, pulls: 0, reason: '' };
  return createPoll({
    ...{ feeds, marketState, recordCallCost, healFeed: async (feed) => feed },
    fetch: {
      ...forEachFeedKind(() => async () => nothing),
      stats: async (feed) => served.fetchSeries(feed, clock.now),
    },
    storeNews: createStoreNews({
      ...{ feeds, budget, recordCallCost, lookAhead: benchLookAhead(served) },
      alertsOf: async ({ eventId }) => served.live.get(eventId)?.alerts ?? 0,
      storeSnapshots: async ({ snapshots }) => ({
        ...{ created: snapshots.length, lateAt: [], faults: {} },
      }),
      storePriceDays: async () => {},
      recentOfNews: async () => undefined,
      noteLate: async () => {},
      markBehind: async () => {},
      tellBack: async () => {},
      sendNudge: async ({ eventId }) => served.evaluate(eventId, clock.now),
      assumptions: costliest,
    }),
    recordFailure: async ({ error }) => {
      throw error;
    },
    notify: async () => false,
  });
}

function benchLookAhead({ live }: ServedMarket) {
  return createLookAhead({
    shardsOf: async () => 1,
    seriesOf: async (eventId) => live.get(eventId)?.rules.series ?? [],
    nearest: async ({ eventId, series, direction, state }, limit) => {
      const index = live.get(eventId)?.rules.index;
      const isDown = direction === 'down';
      const all = isDown ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      if (state === 'armed') {
        const levels = index?.armedReachedBy({ series, direction, value: all }) ?? [];
        return isDown ? levels.slice(-limit).reverse() : levels.slice(0, limit);
      }
      const levels = index?.firedPassedBy({ series, direction, value: -all }) ?? [];
      return isDown ? levels.slice(0, limit) : levels.slice(-limit).reverse();
    },
    forEvent: () => {
      throw new Error('this market has no listings');
    },
  });
}
