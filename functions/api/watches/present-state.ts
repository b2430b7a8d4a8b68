// What is known of an event right now: its zones, and which rules are true already. Reads only what is
// stored; it never polls.

import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { emptyHistory } from '#shared/rules/history.ts';
import { CatchUp, matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { readSeries, type Snapshot } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';

interface PresentStateDeps {
  stores: Pick<Stores, 'snapshots' | 'eventFacts'>;
  loadHistory: LoadHistory;
}

/** The newest stored snapshot of each feed; null for a feed that was never polled. */
export interface PresentState {
  eventId: number;
  stats: Snapshot | null;
  listings: Snapshot | null;
  /** The event's zones as its newest stats spell them; undefined while there are none. */
  zones: string[] | undefined;
}

/** Answers about the present of events. */
export function createPresentState({ stores, loadHistory }: PresentStateDeps) {
  /** A plain level needs no history; only a window looks back. */
  async function historyFor(snapshot: Snapshot, series: SeriesKey[], now: number) {
    const windowed = series.filter((key) => parseSeries(key).transform !== null);
    if (windowed.length === 0) return emptyHistory;
    const { eventId, feedKind: kind, observedAt } = snapshot;
    const feed = { eventId, kind };
    const through = observedAt;
    const request = { feed, series: windowed, through, newest: observedAt, now };
    return (await loadHistory(request)).history;
  }

  return {
    async read(eventId: number): Promise<PresentState> {
      const [stats, listings] = await Promise.all([
        stores.snapshots.newest({ eventId, kind: 'stats' }),
        stores.snapshots.newest({ eventId, kind: 'listings' }),
      ]);
      const zones = zonesIn(stats);
      return { eventId, stats: stats ?? null, listings: listings ?? null, zones };
    },

    /** The event's zones alone, as its newest stats spell them. */
    zones: async (eventId: number): Promise<string[] | undefined> =>
      zonesIn(await stores.snapshots.newest({ eventId, kind: 'stats' })),

    /** The values of some series at the newest snapshots, in the series' own units. */
    async values(
      state: PresentState,
      series: readonly SeriesKey[],
      now: number,
    ): Promise<Map<SeriesKey, number | null>> {
      const values = new Map<SeriesKey, number | null>();
      for (const [kind, own] of Map.groupBy(series, feedKindOf)) {
        const snapshot = state[kind];
        if (!snapshot) continue;
        const history = await historyFor(snapshot, own, now);
        for (const key of own) values.set(key, readSeries(key, snapshot, history).standing);
      }
      return values;
    },

    /**
     * Whether a rule's trigger is reached at the newest snapshot, conditions included; null while
     * there is no snapshot to hold it against.
     */
    async isTrue(state: PresentState, trigger: Trigger, now: number): Promise<boolean | null> {
      const kind = feedKindOf(trigger.series);
      const snapshot = state[kind];
      if (!snapshot) return null;
      const { eventId } = state;
      const { observedAt } = snapshot;
      const index = new MemoryTriggerIndex();
      index.put(trigger);
      const { history } = await loadHistory({
        feed: { eventId, kind },
        series: [trigger.series],
        through: observedAt,
        newest: observedAt,
        now,
      });
      const { moves } = await matchSnapshot({
        index,
        snapshot,
        history,
        run: new CatchUp(),
        series: [],
        isNewest: true,
        eventStartsAt: startOf(await stores.eventFacts.find(eventId)),
        otherFeed: kind === 'stats' ? state.listings : state.stats,
      });
      return moves.some(({ decision }) => ['fire', 'silence', 'pend'].includes(decision.kind));
    },
  };
}

function zonesIn(stats: Snapshot | undefined): string[] | undefined {
  return stats?.feedKind === 'stats' ? Object.keys(stats.zones) : undefined;
}

export type PresentStateReader = ReturnType<typeof createPresentState>;
