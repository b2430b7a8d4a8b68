// Finds the event of a new watch by either of its ids, and records on the watch what the lookup
// cost. All free checks run before a lookup spends a pull.
import type { Stores } from '#shared/dynamo/stores.ts';
import { lookUpFeed } from '#shared/polling/feed-kinds.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { NewWatch, WatchRequest } from '#shared/watchlist/watch-request.ts';
import type { ResolveEvent } from '../events/resolve-event.ts';
import { invalidFaults } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import { watchFaults } from './check-watch.ts';

interface NameEventDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'subscriptions'>;
  resolveEvent: ResolveEvent;
  quotas: Pick<Quotas, 'requireRoom'>;
}

export interface NamedWatch {
  wanted: NewWatch;
  /** Call it after the watch is stored. */
  noteCost: (watch: Pick<Watch, 'watchId' | 'eventId'>) => Promise<void>;
}

export type NameEvent = (body: WatchRequest, ownerId: string, now: number) => Promise<NamedWatch>;

/** @throws ProblemError for a watch that would be refused anyway, and as `ResolveEvent` does. */
export function createNameEvent({ stores, resolveEvent, quotas }: NameEventDeps): NameEvent {
  return async function nameEvent(body, ownerId, now) {
    const { event_id: named, sh_event_id: shEventId, ...rest } = body;
    if (named !== undefined || shEventId === undefined) {
      return { wanted: { ...rest, event_id: named ?? 0 }, noteCost: async () => {} };
    }
    await checkForFree(rest, ownerId, now);
    const { eventId, pulls } = await resolveEvent(shEventId, ownerId, now);
    return {
      wanted: { ...rest, event_id: eventId },
      noteCost: async ({ watchId }) => {
        if (pulls === 0) return;
        const spent = { eventId, kind: lookUpFeed, watchId, createdAt: now } as const;
        await stores.subscriptions.noteSpent({ ...spent, micropulls: pulls * 1_000_000 });
      },
    };
  };

  async function checkForFree(
    { channels, fallback_channel: fallbackId, rules, tags = [] }: Omit<NewWatch, 'event_id'>,
    ownerId: string,
    now: number,
  ): Promise<void> {
    const defaults = defaultsFor(await stores.ownerDefaults.find(ownerId), tags);
    const channelIds = channels ?? defaults.channelIds;
    const checked = { channelIds, fallbackId, rules, zones: undefined };
    const faults = await watchFaults(stores.channels, ownerId, checked, now);
    if (faults.length > 0) throw invalidFaults(faults);
    await quotas.requireRoom(ownerId, rules.length);
  }
}
