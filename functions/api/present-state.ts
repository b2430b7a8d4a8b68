// What is known of an event right now: its zones, and which rules are true already. Reads only what is
// stored; it never polls.
import { CatchUp, matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import { feedKindOf } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { LoadHistory } from '#shared/store/history.ts';
import type { Stores } from '#shared/store/stores.ts';
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
  return {
    async read(eventId: number): Promise<PresentState> {
      const [stats, listings] = await Promise.all([
        stores.snapshots.newest({ eventId, kind: 'stats' }),
        stores.snapshots.newest({ eventId, kind: 'listings' }),
      ]);
      const zones = stats?.feedKind === 'stats' ? Object.keys(stats.zones) : undefined;
      return { eventId, stats: stats ?? null, listings: listings ?? null, zones };
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

export type PresentStateReader = ReturnType<typeof createPresentState>;
