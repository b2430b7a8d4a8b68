// The current status of a watch. It ends with its event; the end is computed and not stored, so that a
// postponed event makes the watch active again.

import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { stillSells } from '#shared/polling/resting.ts';
import { isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** Number of events looked up in parallel. */
const lotSize = 25;

/** The watches with their status as of a time (epoch ms), in their order. */
export type WithCurrentStatus = (watches: readonly Watch[], now: number) => Promise<Watch[]>;

interface CurrentStatusStores {
  eventFacts: Pick<Stores['eventFacts'], 'find'>;
  feeds: Pick<Stores['feeds'], 'find'>;
}

/** Reads the facts of each event once. */
export function createCurrentStatus(stores: CurrentStatusStores): WithCurrentStatus {
  const isOver = createIsOver(stores);
  return async function withCurrentStatus(watches, now) {
    const eventIds = [...new Set(watches.map(({ eventId }) => eventId))];
    const areOver = await inLots(eventIds, lotSize, (eventId) => isOver(eventId, now));
    const past = new Set(eventIds.filter((_, index) => areOver[index]));
    return watches.map((watch) =>
      past.has(watch.eventId) ? { ...watch, status: 'ended' } : watch,
    );
  };
}

/** Whether the event's date has passed and nothing is for sale; if tickets still sell, the event was postponed. */
export function createIsOver({ eventFacts, feeds }: CurrentStatusStores) {
  return async function isOver(eventId: number, now: number): Promise<boolean> {
    const facts = await eventFacts.find(eventId);
    if (!facts || !isPast(facts, now)) return false;
    const found = await Promise.all(feedKinds.map((kind) => feeds.find(eventId, kind)));
    return !found.some((feed) => feed && stillSells(feed, overAt(facts), now));
  };
}
