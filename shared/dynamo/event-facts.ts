// Event facts in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import { eventFromKey, isStoredTime, optionalTime, orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { eventFactsSchema } from './schemas/event-facts-schema.ts';
import { leniently, orMissing, readOne } from './stored-items.ts';
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
    eventId: eventFromKey,
    name: { otherwise: ({ eventId }) => `Event ${eventId}` },
    updatedAt: orElse(0, isStoredTime),
    startsAt: optionalTime,
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
                isNoNumber('updatedAt' as const),
                // Facts are from the past, so a time in the far future is damaged.
                { attr: 'updatedAt', gt: known.updatedAt + 7 * 86_400_000 },
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
