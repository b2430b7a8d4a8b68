// Event facts in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type EventFacts, eventFactsSchema } from '#shared/watchlist/event-facts.ts';
import { writeIf } from './conditional-write.ts';
import { leniently, orElse, orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of event facts. */
export function createEventFactsStore(table: WatchlistTable) {
  const facts = new Entity({
    name: 'eventFacts',
    table,
    timestamps: false,
    schema: eventFactsSchema,
    computeKey: ({ eventId }) => ({ pk: `EVENT#${eventId}`, sk: 'FACTS' }),
  });

  const reading = leniently(facts, {
    eventId: { otherwise: ({ pk }) => Number(String(pk).slice('EVENT#'.length)) },
    name: { otherwise: ({ eventId }) => `Event ${eventId}` },
    updatedAt: orElse(0),
  });

  return {
    async find(eventId: number): Promise<EventFacts | undefined> {
      return orMissing(readOne(facts.build(GetItemCommand).key({ eventId }), reading));
    },

    /** Keeps the newest facts; older ones that arrive late change nothing. */
    keep(known: EventFacts): Promise<boolean> {
      return writeIf(() =>
        facts
          .build(PutItemCommand)
          .item(known)
          .options({
            condition: {
              or: [
                { attr: 'updatedAt', exists: false },
                { attr: 'updatedAt', lt: known.updatedAt },
              ],
            },
          })
          .send(),
      );
    },
  };
}

export type EventFactsStore = ReturnType<typeof createEventFactsStore>;
