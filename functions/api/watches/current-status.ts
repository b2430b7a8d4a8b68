// A watch with its event's facts and its current status. It ends with its event; the end is computed and not
// stored, so that a postponed event makes the watch active again.

import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { stillSells } from '#shared/polling/resting.ts';
import { type EventFacts, isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** Number of events looked up in parallel; gathered-reads.ts sends them in batches of 100. */
const lotSize = 1_000;

/** A watch as of a time, with the facts of its event if they are known. */
export interface CurrentWatch extends Watch {
  facts: EventFacts | undefined;
}

/** The watches with their status as of a time (epoch ms), in their order. */
export type WithCurrentStatus = (watches: readonly Watch[], now: number) => Promise<CurrentWatch[]>;

interface CurrentStatusStores {
  eventFacts: Pick<Stores['eventFacts'], 'find'>;
  feeds: Pick<Stores['feeds'], 'find'>;
}

/** An event's facts, and whether it is over, at a time (epoch ms). */
export type ReadEventNow = (
  eventId: number,
  now: number,
) => Promise<{ facts: EventFacts | undefined; isOver: boolean }>;

/** Reads the facts of each event once. */
export function createCurrentStatus(stores: CurrentStatusStores): WithCurrentStatus {
  const readEvent = createReadEventNow(stores);
  return async function withCurrentStatus(watches, now) {
    const eventIds = [...new Set(watches.map(({ eventId }) => eventId))];
    const found = await inLots(eventIds, lotSize, (eventId) => readEvent(eventId, now));
    const events = new Map(eventIds.map((eventId, index) => [eventId, found[index]]));
    return watches.map((watch) => {
      const { facts, isOver = false } = events.get(watch.eventId) ?? {};
      return { ...watch, facts, ...(isOver && { status: 'ended' as const }) };
    });
  };
}

/** An event is over if its date has passed and nothing is for sale; if tickets still sell, it was postponed. */
export function createReadEventNow({ eventFacts, feeds }: CurrentStatusStores): ReadEventNow {
  return async function readEventNow(eventId, now) {
    const facts = await eventFacts.find(eventId);
    if (!facts || !isPast(facts, now)) return { facts, isOver: false };
    const found = await Promise.all(feedKinds.map((kind) => feeds.find(eventId, kind)));
    const isOver = !found.some((feed) => feed && stillSells(feed, overAt(facts), now));
    return { facts, isOver };
  };
}
