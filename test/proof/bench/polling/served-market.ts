// The marketplace's side of a simulated fleet: it answers polls from a market's series, counts what was paid, and
// matches what was seen by the real rules.
import type { Fetched } from '#functions/poll/fetch.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Market, MarketEvent } from './market.ts';
import { EventRules, type Heard, type Watcher } from './watchers.ts';

export interface PaidPull {
  eventId: number;
  /** When it was sent, and the newest snapshot that it brought; epoch milliseconds. */
  at: number;
  newestAt: number;
}

export interface FleetRun {
  startMs: number;
  calls: number;
  paid: PaidPull[];
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
  /** Alerts so far. */
  alerts: number;
}

/** @param isFirstFree whether an event's first pull costs nothing, as if it had been bought before the start. */
export function serveMarket(
  market: Market,
  byEvent: ReadonlyMap<number, readonly Watcher[]>,
  { isFirstFree }: { isFirstFree: boolean },
) {
  const run: FleetRun = {
    ...{ startMs: market.startMs, calls: 0, paid: [], told: [] },
    seenThrough: new Map(),
  };
  const live = new Map<number, LiveEvent>();
  for (const event of market.events) {
    const own = byEvent.get(event.eventId);
    if (!own) continue;
    live.set(event.eventId, {
      event,
      rules: new EventRules(own, market.startMs),
      matched: 0,
      alerts: 0,
    });
  }

  return {
    run,
    live: live as ReadonlyMap<number, LiveEvent>,

    /** The marketplace's answer: everything after the newest stored snapshot. */
    fetchSeries({ eventId, lastSnapshotAt }: Feed, now: number): Fetched {
      const snapshots = newsOf(live.get(eventId)?.event.series ?? [], lastSnapshotAt ?? 0, now);
      const newestAt = snapshots.at(-1)?.observedAt;
      if (newestAt !== undefined) run.seenThrough.set(eventId, newestAt);
      const isFree = newestAt === undefined || (isFirstFree && lastSnapshotAt === undefined);
      run.calls += 1;
      if (!isFree) run.paid.push({ eventId, at: now, newestAt });
      return {
        snapshots,
        refreshes: snapshots.map(({ observedAt }) => observedAt),
        isComplete: true,
        pulls: isFree ? 0 : 1,
        reason: isFree ? 'nothing_new' : 'data',
      };
    },

    async evaluate(eventId: number, now: number): Promise<void> {
      const event = live.get(eventId);
      if (!event) return;
      const through = run.seenThrough.get(eventId) ?? 0;
      const { series } = event.event;
      let end = event.matched;
      while ((series[end]?.observedAt ?? Number.POSITIVE_INFINITY) <= through) end += 1;
      const heard = await event.rules.see(series.slice(event.matched, end), run.startMs);
      event.matched = end;
      event.alerts += heard.length;
      run.told.push(...heard.map((each) => ({ ...each, toldAt: now })));
    },
  };
}

export type ServedMarket = ReturnType<typeof serveMarket>;

function newsOf(series: readonly MarketSnapshot[], after: number, now: number): MarketSnapshot[] {
  const snapshots: MarketSnapshot[] = [];
  for (let at = series.length - 1; at >= 0; at -= 1) {
    const snapshot = series[at];
    if (!snapshot || snapshot.observedAt <= after) break;
    if (snapshot.observedAt <= now) snapshots.unshift(snapshot);
  }
  return snapshots;
}
