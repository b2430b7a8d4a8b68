// Reads of what a watch has cost besides its live subscriptions.
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SpentSubscription } from '#shared/polling/subscription.ts';
import { readAll, readOne } from './stored-items.ts';
import { type createSubscriptionEntities, partitionOf } from './subscription-entities.ts';
import type { WatchlistTable } from './tables.ts';

type Entities = ReturnType<typeof createSubscriptionEntities>;

/** The part of the subscription store that reads costs. */
export function createSpentReads(
  table: WatchlistTable,
  { spentSubscriptions, spentReading }: Pick<Entities, 'spentSubscriptions' | 'spentReading'>,
) {
  return {
    /** The cost of one ended subscription, or of a call that was noted; undefined if there is none. */
    spentAt(key: Omit<SpentSubscription, 'micropulls'>): Promise<SpentSubscription | undefined> {
      return readOne(spentSubscriptions.build(GetItemCommand).key(key), spentReading);
    },

    /** The cost of a watch's ended subscriptions. */
    spentBy(eventId: number, watchId: string): Promise<SpentSubscription[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(eventId), range: { beginsWith: `SPENT#${watchId}#` } });
      return readAll(query, spentSubscriptions, spentReading);
    },
  };
}
