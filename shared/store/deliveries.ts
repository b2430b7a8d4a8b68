// Deliveries in the Watchlist table, and the index of those that are not finished.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { type Delivery, deliverySchema } from '#shared/alerts/delivery.ts';
import { writeIf } from './conditional-write.ts';
import { shardKey, shardOf } from './shard.ts';
import type { WatchlistTable } from './tables.ts';

const unfinished = 'unfinished';
/** Functions' clocks differ a little; a delivery due within this time counts as due. */
const clockSkewMs = 2_000;

/** Reads and writes of deliveries. A claim's `attempts` guards every later write of that attempt. */
export function createDeliveryStore(table: WatchlistTable) {
  const deliveries = new Entity({
    name: 'delivery',
    table,
    timestamps: false,
    schema: deliverySchema.and({ unfinishedShard: string().optional() }),
    computeKey: ({ deliveryId }) => ({ pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' }),
  });

  function finish(
    delivery: Delivery,
    end: { status: 'sent' | 'failed' | 'suppressed'; lastReason?: string; sentAt?: number },
  ) {
    return writeIf(() =>
      deliveries
        .build(UpdateItemCommand)
        .item({
          deliveryId: delivery.deliveryId,
          ...end,
          nextAttemptAt: $remove(),
          unfinishedShard: $remove(),
        })
        .options({ condition: ownAttempt(delivery) })
        .send(),
    );
  }

  return {
    async find(deliveryId: string): Promise<Delivery | undefined> {
      const found = await deliveries
        .build(GetItemCommand)
        .key({ deliveryId })
        .options({ consistent: true })
        .send();
      return found.Item;
    },

    /** @returns false when the delivery is there already, in whatever state. */
    create(delivery: Delivery): Promise<boolean> {
      return writeIf(() =>
        deliveries
          .build(PutItemCommand)
          .item({
            ...delivery,
            unfinishedShard: shardKey(unfinished, shardOf(delivery.deliveryId)),
          })
          .options({ condition: { attr: 'deliveryId', exists: false } })
          .send(),
      );
    },

    /**
     * Claims a delivery for one attempt, until `leaseUntil`.
     * @returns the claimed delivery, or undefined when it is finished or another sender holds it.
     */
    async claim(
      deliveryId: string,
      now: number,
      leaseUntil: number,
    ): Promise<Delivery | undefined> {
      let claimed: Delivery | undefined;
      await writeIf(async () => {
        const answer = await deliveries
          .build(UpdateItemCommand)
          .item({ deliveryId, status: 'sending', attempts: $add(1), nextAttemptAt: leaseUntil })
          .options({
            returnValues: 'ALL_NEW',
            condition: {
              and: [
                { attr: 'nextAttemptAt', lte: now + clockSkewMs },
                {
                  or: [
                    { attr: 'status', eq: 'pending' },
                    { attr: 'status', eq: 'sending' },
                  ],
                },
              ],
            },
          })
          .send();
        claimed = answer.Attributes;
      });
      return claimed;
    },

    markSent: (delivery: Delivery, sentAt: number) => finish(delivery, { status: 'sent', sentAt }),

    markFailed: (delivery: Delivery, lastReason: string) =>
      finish(delivery, { status: 'failed', lastReason }),

    markSuppressed: (delivery: Delivery, lastReason: string) =>
      finish(delivery, { status: 'suppressed', lastReason }),

    /** Puts a claimed delivery back for another attempt at `nextAttemptAt`. */
    markForRetry(delivery: Delivery, lastReason: string, nextAttemptAt: number): Promise<boolean> {
      return writeIf(() =>
        deliveries
          .build(UpdateItemCommand)
          .item({ deliveryId: delivery.deliveryId, status: 'pending', lastReason, nextAttemptAt })
          .options({ condition: ownAttempt(delivery) })
          .send(),
      );
    },

    /** Unfinished deliveries of one shard whose attempt or lease is due, earliest first. */
    async overdue(shard: number, before: number, limit: number): Promise<Delivery[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(deliveries)
        .query({
          index: 'unfinished',
          partition: shardKey(unfinished, shard),
          range: { lte: before },
        })
        .options({ limit })
        .send();
      return Items;
    },
  };
}

/** Only the sender whose attempt this is may record its outcome: a late one finds other numbers. */
function ownAttempt(delivery: Delivery) {
  return {
    and: [
      { attr: 'status' as const, eq: 'sending' as const },
      { attr: 'attempts' as const, eq: delivery.attempts },
    ],
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
