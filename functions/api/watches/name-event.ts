// Reads which event a new watch is about, by either of its ids, and notes on the watch what finding out
// has cost.
import type { Stores } from '#shared/store/stores.ts';
import type { NewWatch, Watch, WatchRequest } from '#shared/watchlist/watch.ts';
import type { ResolveEvent } from '../events/resolve-event.ts';

interface NameEventDeps {
  stores: Pick<Stores, 'wishes'>;
  resolveEvent: ResolveEvent;
}

export interface NamedWatch {
  wanted: NewWatch;
  /** To be called once the watch is there. */
  noteCost: (watch: Pick<Watch, 'watchId' | 'eventId'>) => Promise<void>;
}

export type NameEvent = (body: WatchRequest, now: number) => Promise<NamedWatch>;

/** @throws ProblemError as `ResolveEvent` does. */
export function createNameEvent({ stores, resolveEvent }: NameEventDeps): NameEvent {
  return async function nameEvent(body, now) {
    const { event_id: named, sh_event_id: shEventId, ...rest } = body;
    if (named !== undefined || shEventId === undefined) {
      return { wanted: { ...rest, event_id: named ?? 0 }, noteCost: async () => {} };
    }
    const { eventId, pulls } = await resolveEvent(shEventId, now);
    return {
      wanted: { ...rest, event_id: eventId },
      noteCost: async ({ watchId }) => {
        if (pulls === 0) return;
        const spent = { eventId, kind: 'listings', watchId, createdAt: now } as const;
        await stores.wishes.noteSpent({ ...spent, micropulls: pulls * 1_000_000 });
      },
    };
  };
}
