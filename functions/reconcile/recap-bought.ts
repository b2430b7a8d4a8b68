// Tells the recap of an event to an owner who bought a ticket: the watch has ended, so no feed of the event may be polled
// any more when the event is over.
import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { isPast, overAt } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { TellRecap } from './tell-recap.ts';

export type RecapBought = (watch: Watch, now: number) => Promise<void>;

interface RecapBoughtDeps {
  watches: Pick<WatchStore, 'settled' | 'settledUntil'>;
  eventFacts: Pick<EventFactsStore, 'find'>;
  tellRecap: Pick<TellRecap, 'toOwner'>;
}

/** An event may be moved, so its date is looked at again at least this often. */
const lookEveryMs = 24 * 3_600_000;

/** The use case; `now` is epoch milliseconds. The notice comes first: a crash after it repeats it, and it is sent once. */
export function createRecapBought(deps: RecapBoughtDeps): RecapBought {
  return async function recapBought(watch, now) {
    const facts = await deps.eventFacts.find(watch.eventId);
    if (facts && !isPast(facts, now)) {
      await deps.watches.settledUntil(watch, Math.min(overAt(facts) + 1, now + lookEveryMs));
      return;
    }
    if (facts) await deps.tellRecap.toOwner(watch.ownerId, facts, now);
    await deps.watches.settled(watch);
  };
}
