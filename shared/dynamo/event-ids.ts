// The service event id of each marketplace event id, in the Watchlist table. It never changes, so
// it is looked up once.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type FormattedValue, item, number } from 'dynamodb-toolbox/schema';
import { orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const resolvedEventSchema = item({ shEventId: number().key(), eventId: number() });

export type ResolvedEvent = FormattedValue<typeof resolvedEventSchema>;

/** Reads and writes of resolved ids. */
export function createEventIdStore(table: WatchlistTable) {
  const resolved = new Entity({
    name: 'resolvedEvent',
    table,
    timestamps: false,
    schema: resolvedEventSchema,
    computeKey: ({ shEventId }) => ({ pk: `SHEVENT#${shEventId}`, sk: 'EVENT' }),
  });

  return {
    /** The service event id; undefined when it is not stored or damaged, and must be looked up. */
    async find(shEventId: number): Promise<number | undefined> {
      const reading = { attributes: { shEventId: { otherwise: () => shEventId } } };
      const action = resolved.build(GetItemCommand).key({ shEventId });
      return (await orMissing(readOne(action, reading)))?.eventId;
    },

    /** Stores a resolved id; a repeat changes nothing. */
    async keep(known: ResolvedEvent): Promise<void> {
      await resolved.build(PutItemCommand).item(known).send();
    },
  };
}
