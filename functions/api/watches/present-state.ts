// The stored present of an event: its zones, and which rules are already true. Reads only the tables;
// it never polls.

import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import {
  type FeedKind,
  feedKinds,
  forEachFeedKind,
  metricsFeed,
} from '#shared/polling/feed-kinds.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { emptyHistory } from '#shared/rules/history.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { readSeries } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import type { TimedReading } from './compared.ts';

interface PresentStateDeps {
  stores: Pick<Stores, 'snapshots' | 'eventFacts'>;
  loadHistory: LoadHistory;
}

export interface PresentState {
  eventId: number;
  /** The newest stored snapshot of each feed; null for a feed that was never polled. */
  newest: Record<FeedKind, Snapshot | null>;
  /** The event's zones, spelled as in its newest stats; undefined if there are none. */
  zones: string[] | undefined;
}

/** The decisions on a trigger whose level is reached. */
const reached: ReadonlySet<string> = new Set(['fire', 'silence', 'pend']);

/** Answers questions about an event's present state. */
export function createPresentState({ stores, loadHistory }: PresentStateDeps) {
  /** A plain level needs no history; only a window does. */
  async function historyFor(snapshot: Snapshot, series: SeriesKey[], now: number) {
    const windowed = series.filter((key) => parseSeries(key).transform !== null);
    if (windowed.length === 0) return emptyHistory;
    const { eventId, feedKind: kind, observedAt } = snapshot;
    const feed = { eventId, kind };
    const through = observedAt;
    const request = { feed, series: windowed, through, newest: observedAt, now };
    return (await loadHistory(request)).history;
  }

  async function ofFeed(
    state: PresentState,
    triggers: readonly Trigger[],
    { kind, now }: { kind: FeedKind; now: number },
  ): Promise<[string, boolean | null][]> {
    const snapshot = state.newest[kind];
    if (!snapshot) return triggers.map(({ triggerId }) => [triggerId, null]);
    const { eventId } = state;
    const { observedAt } = snapshot;
    const [{ history }, facts] = await Promise.all([
      loadHistory({
        feed: { eventId, kind },
        series: [...new Set(triggers.flatMap((trigger) => [...seriesAskedFor(trigger)]))],
        through: observedAt,
        newest: observedAt,
        now,
      }),
      stores.eventFacts.find(eventId),
    ]);
    const matches = triggers.map(async (trigger): Promise<[string, boolean]> => {
      const index = new MemoryTriggerIndex();
      index.put(trigger);
      const { moves } = await matchSnapshot({
        ...{ index, snapshot, history, run: new CatchUp(), series: [], isNewest: true },
        ...{ eventStartsAt: startOf(facts), otherFeeds: state.newest },
      });
      const kinds = moves.map(({ decision }) => decision.kind);
      return [trigger.triggerId, kinds.some((each) => reached.has(each))];
    });
    return Promise.all(matches);
  }

  return {
    async read(eventId: number): Promise<PresentState> {
      const reads = feedKinds.map(async (kind) => {
        return [kind, await stores.snapshots.newest({ eventId, kind })] as const;
      });
      const found = new Map(await Promise.all(reads));
      const newest = forEachFeedKind((kind) => found.get(kind) ?? null);
      return { eventId, newest, zones: zonesIn(newest[metricsFeed]) };
    },

    /** Only the event's zones, spelled as in its newest stats. */
    zones: async (eventId: number): Promise<string[] | undefined> =>
      zonesIn(await stores.snapshots.newest({ eventId, kind: metricsFeed })),

    /** Some series at the newest snapshots, in their own units. */
    async readings(
      state: PresentState,
      series: readonly SeriesKey[],
      now: number,
    ): Promise<Map<SeriesKey, TimedReading>> {
      const readings = new Map<SeriesKey, TimedReading>();
      for (const [kind, own] of Map.groupBy(series, feedKindOf)) {
        const snapshot = state.newest[kind];
        if (!snapshot) continue;
        const history = await historyFor(snapshot, own, now);
        const { observedAt } = snapshot;
        for (const key of own) {
          readings.set(key, { ...readSeries(key, snapshot, history), observedAt });
        }
      }
      return readings;
    },

    /**
     * Whether each rule's trigger is reached at the newest snapshot, conditions included, by trigger id;
     * null if no snapshot is stored. The history of each feed is read once.
     */
    async areTrue(
      state: PresentState,
      triggers: readonly Trigger[],
      now: number,
    ): Promise<Map<string, boolean | null>> {
      const byFeed = Map.groupBy(triggers, ({ series }) => feedKindOf(series));
      const parts = [...byFeed].map(([kind, own]) => ofFeed(state, own, { kind, now }));
      return new Map((await Promise.all(parts)).flat());
    },
  };
}

/** The names of the zones in the newest stats. */
export function zonesIn(snapshot: Snapshot | null | undefined): string[] | undefined {
  return snapshot?.feedKind === metricsFeed ? Object.keys(snapshot.zones) : undefined;
}

export type PresentStateReader = ReturnType<typeof createPresentState>;
