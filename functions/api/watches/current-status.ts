// The status that a watch has now. It ends with its event, and nobody writes that down: a date that is
// put off brings it back.
import { inLots } from '#shared/runtime/in-lots.ts';
import type { Stores } from '#shared/store/stores.ts';
import { isPast } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** Events looked up at once. */
const lotSize = 25;

/** The watches with their status as of a time (epoch ms), in their order. */
export type WithCurrentStatus = (watches: readonly Watch[], now: number) => Promise<Watch[]>;

/** Reads the facts of each event once. */
export function createCurrentStatus({
  eventFacts,
}: {
  eventFacts: Pick<Stores['eventFacts'], 'find'>;
}): WithCurrentStatus {
  return async function withCurrentStatus(watches, now) {
    const eventIds = [...new Set(watches.map(({ eventId }) => eventId))];
    const facts = await inLots(eventIds, lotSize, (eventId) => eventFacts.find(eventId));
    const past = new Set(eventIds.filter((_, index) => facts[index] && isPast(facts[index], now)));
    return watches.map((watch) =>
      past.has(watch.eventId) ? { ...watch, status: 'ended' } : watch,
    );
  };
}
