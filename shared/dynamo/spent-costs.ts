// What a watch has cost besides its live subscriptions.
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SpentSubscription } from '#shared/polling/subscription.ts';
import { writeIf } from './conditional-write.ts';
import { readAll, readOne } from './stored-items.ts';
import { type createSubscriptionEntities, partitionOf } from './subscription-entities.ts';
import type { WatchlistTable } from './tables.ts';

type Entities = ReturnType<typeof createSubscriptionEntities>;

/** The part of the subscription store that keeps costs. */
export function createSpentCosts(
  table: WatchlistTable,
  { spentSubscriptions, spentReading }: Pick<Entities, 'spentSubscriptions' | 'spentReading'>,
) {
  /** The cost of a watch's ended subscriptions. */
  function spentBy(eventId: number, watchId: string): Promise<SpentSubscription[]> {
    const query = table
      .build(QueryCommand)
      .query({ partition: partitionOf(eventId), range: { beginsWith: `SPENT#${watchId}#` } });
    return readAll(query, spentSubscriptions, spentReading);
  }

  return {
    spentBy,

    /** The cost of one ended subscription, or of a call that was noted; undefined if there is none. */
    spentAt(key: Omit<SpentSubscription, 'micropulls'>): Promise<SpentSubscription | undefined> {
      return readOne(spentSubscriptions.build(GetItemCommand).key(key), spentReading);
    },

    /** Records a cost of a watch, of a subscription that ended or of a call; a repeat changes nothing. */
    async noteSpent(spent: SpentSubscription): Promise<void> {
      await writeIf(() =>
        spentSubscriptions
          .build(PutItemCommand)
          .item(spent)
          .options({ condition: { attr: 'watchId', exists: false } })
          .send(),
      );
    },

    /** Removes the cost of a watch's ended subscriptions; a repeat changes nothing. */
    async forgetSpent(eventId: number, watchId: string): Promise<void> {
      for (const spent of await spentBy(eventId, watchId)) {
        await spentSubscriptions.build(DeleteItemCommand).key(spent).send();
      }
    },
  };
}
