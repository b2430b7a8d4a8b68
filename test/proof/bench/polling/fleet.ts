// Getin's own polling on a virtual clock: the real dispatch, poll, cadence, pacing and matching over
// memory stores, minute by minute.
import { createDispatch } from '#functions/dispatch/dispatch.ts';
import type { Fetched } from '#functions/poll/fetch.ts';
import { createLookAhead } from '#functions/poll/look-ahead.ts';
import { createPoll } from '#functions/poll/poll.ts';
import { createRecordCallCost } from '#functions/poll/record-call-cost.ts';
import { createStoreNews } from '#functions/poll/store-news.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { Caps } from '#shared/polling/budget.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import { demandsOf, earlierTurn, paceFleet } from '#shared/polling/fleet.ts';
import type { Subscription } from '#shared/polling/subscription.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import {
  allShards,
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';
import type { Market, MarketEvent } from './market.ts';
import { EventRules, type Heard, type Watcher } from './watchers.ts';

const minuteMs = 60_000;
/** As reconcile does. */
const paceEveryMs = 5 * minuteMs;
/** The marketplace's bucket, raised so that only the budget limits polling (facts.md: 500 a minute). */
const calls = { limit: 1_000_000, windowSeconds: 60 };

export interface FleetRun {
  startMs: number;
  calls: number;
  pulls: number;
  pullsByDay: number[];
  /** Alerts with the time when they were sent, epoch milliseconds. */
  told: (Heard & { toldAt: number })[];
  /** Per event: the time of its newest stored snapshot, epoch milliseconds. */
  seenThrough: Map<number, number>;
}

interface LiveEvent {
  event: MarketEvent;
  rules: EventRules;
  /** Snapshots before this index have been matched. */
  matched: number;
}

/** Runs the whole fleet over the market's time. */
export async function runFleet(
  market: Market,
  watchers: readonly Watcher[],
  caps: Caps,
): Promise<FleetRun> {
  const clock = { now: market.startMs };
  const run: FleetRun = {
    ...{ startMs: market.startMs, calls: 0, pulls: 0, pullsByDay: [], told: [] },
    seenThrough: new Map(),
  };
  const byEvent = Map.groupBy(watchers, ({ eventId }) => eventId);
  const live = new Map<number, LiveEvent>();
  for (const event of market.events) {
    const own = byEvent.get(event.eventId);
    if (!own) continue;
    live.set(event.eventId, { event, rules: new EventRules(own, market.startMs), matched: 0 });
  }
  const fleet = createFleet({ live, byEvent, clock, caps, run });
  await fleet.start();
  for (; clock.now < market.endMs; clock.now += minuteMs) {
    if ((clock.now - market.startMs) % paceEveryMs === 0) await fleet.pace();
    await fleet.minute();
  }
  return run;
}

interface FleetParts {
  live: Map<number, LiveEvent>;
  byEvent: Map<number, Watcher[]>;
  clock: { now: number };
  caps: Caps;
  run: FleetRun;
}

function createFleet({ live, byEvent, clock, caps, run }: FleetParts) {
  const feeds = createMemoryFeedStore();
  const budget = createMemoryBudgetStore();
  const marketState = createMemoryMarketStateStore();
  const queue: PollMessage[] = [];
  const subscriptions = {
    of: async ({ eventId }: Pick<Feed, 'eventId'>) =>
      (byEvent.get(eventId) ?? []).map(({ watchId }) => ({
        watchId,
        ownerId: 'own_1',
      })) as Subscription[],
  };
  const recordCallCost = createRecordCallCost({
    subscriptions,
    budget,
    pulls: { create: async () => true },
  });
  const dispatch = createDispatch({
    ...{ feeds, budget, marketState },
    readLimits: async () => ({ caps, exhausted: new Set() }),
    sendToPoll: async (messages) => {
      queue.push(...messages.map(({ body }) => body as PollMessage));
    },
  });
  const indexOf = (eventId: number) => live.get(eventId)?.rules.index;
  const lookAhead = createLookAhead({
    seriesOf: async (eventId) => live.get(eventId)?.rules.series ?? [],
    armedEdge: async (eventId, series, direction) => {
      const value = direction === 'down' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const levels = indexOf(eventId)?.armedReachedBy({ series, direction, value }) ?? [];
      const edge = direction === 'down' ? levels.at(-1) : levels[0];
      return edge?.level;
    },
    forEvent: () => {
      throw new Error('this market has no listings');
    },
  });
  const poll = createPoll({
    ...{ feeds, marketState, recordCallCost, healFeed: async (feed) => feed },
    fetch: {
      ...forEachFeedKind(() => async () => ({
        snapshots: [],
        refreshes: [],
        isComplete: false,
        pulls: 0,
        reason: '',
      })),
      stats: async (feed) => fetchSeries(live, run, feed, clock.now),
    },
    storeNews: createStoreNews({
      ...{ feeds, budget, recordCallCost, lookAhead },
      storeSnapshots: async ({ snapshots }) => ({
        created: snapshots.length,
        lateAt: [],
        faults: {},
      }),
      noteLate: async () => {},
      tellBack: async () => {},
      sendNudge: async ({ eventId }) => evaluate(eventId),
      assumptions: costliest,
    }),
    recordFailure: async ({ error }) => {
      throw error;
    },
    notify: async () => false,
  });

  async function evaluate(eventId: number): Promise<void> {
    const event = live.get(eventId);
    if (!event) return;
    const through = run.seenThrough.get(eventId) ?? 0;
    const { series } = event.event;
    let end = event.matched;
    while ((series[end]?.observedAt ?? Number.POSITIVE_INFINITY) <= through) end += 1;
    const heard = await event.rules.see(series.slice(event.matched, end), run.startMs);
    event.matched = end;
    run.told.push(...heard.map((each) => ({ ...each, toldAt: clock.now })));
  }

  return {
    async start(): Promise<void> {
      await marketState.change((state) => ({ ...state, limits: { events_stats: calls } }));
      for (const [eventId, watchers] of byEvent) {
        if (!live.has(eventId)) continue;
        const latency = Math.min(...watchers.map(({ latencySeconds }) => latencySeconds));
        await feeds.wake({ eventId, kind: 'stats' }, latency, clock.now);
        const eventStartsAt = live.get(eventId)?.event.startsAt ?? 0;
        await feeds.note({ eventId, kind: 'stats' }, { eventStartsAt });
      }
    },
    async pace(): Promise<void> {
      const active = (
        await Promise.all(allShards.map((shard) => feeds.active('stats', shard)))
      ).flat();
      for (const feed of active) {
        if ((feed.eventStartsAt ?? 0) < clock.now) await feeds.retire(feed, 'ended');
      }
      const before = await budget.current(clock.now);
      const demands = demandsOf(active, true, clock.now);
      const stretchMs = paceFleet(demands, { budget: before, caps, now: clock.now });
      await budget.setStretch(stretchMs);
      for (const feed of active) {
        const at = earlierTurn(feed, { freeWhenQuiet: true, stretchMs, now: clock.now });
        if (at !== undefined) await feeds.reschedule(feed, at);
      }
    },
    async minute(): Promise<void> {
      await dispatch('stats', String(clock.now), clock.now);
      for (const message of queue.splice(0)) {
        await poll(message, { now: () => clock.now, remainingMs: () => minuteMs });
      }
    },
  };
}

/** The marketplace's answer: everything after the newest stored snapshot. */
function fetchSeries(
  live: Map<number, LiveEvent>,
  run: FleetRun,
  { eventId, lastSnapshotAt = 0 }: Feed,
  now: number,
): Fetched {
  const series = live.get(eventId)?.event.series ?? [];
  const snapshots: MarketSnapshot[] = [];
  for (let at = series.length - 1; at >= 0; at -= 1) {
    const snapshot = series[at];
    if (!snapshot || snapshot.observedAt <= lastSnapshotAt) break;
    if (snapshot.observedAt <= now) snapshots.unshift(snapshot);
  }
  const newest = snapshots.at(-1);
  if (newest) run.seenThrough.set(eventId, newest.observedAt);
  const pulls = newest ? 1 : 0;
  run.calls += 1;
  run.pulls += pulls;
  const day = Math.floor((now - run.startMs) / 86_400_000);
  run.pullsByDay[day] = (run.pullsByDay[day] ?? 0) + pulls;
  const refreshes = snapshots.map(({ observedAt }) => observedAt);
  return { snapshots, refreshes, isComplete: true, pulls, reason: newest ? 'data' : 'nothing_new' };
}
