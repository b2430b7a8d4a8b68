// Deliveries in the Watchlist table, and the index of unfinished ones.
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { alertsPerDelivery, type Delivery } from '#shared/delivery/delivery.ts';
import { expiryAfter, type Retention } from '#shared/retention.ts';
import { writeIf } from './conditional-write.ts';
import { createDeliveryAttempts } from './delivery-attempts.ts';
import { createDeliveryEntity, deliveryReading } from './delivery-entity.ts';
import { createDeliveryReads, unfinished } from './delivery-reads.ts';
import { shardKey, shardOf } from './shard.ts';
import { readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Statuses of deliveries that a person may replay. */
const replayable = ['failed', 'skipped', 'suppressed', 'unconfirmed'] as const;

/** Reads and writes of deliveries. */
export function createDeliveryStore(table: WatchlistTable, { alertDays }: Retention) {
  const deliveries = createDeliveryEntity(table);
  const reading = deliveryReading(deliveries);
  const shardOfId = (deliveryId: string) => shardKey(unfinished, shardOf(deliveryId));

  async function find(deliveryId: string): Promise<Delivery | undefined> {
    const action = deliveries
      .build(GetItemCommand)
      .key({ deliveryId })
      .options({ consistent: true });
    return readOne(action, reading);
  }

  /** @returns false when the delivery exists already, in any status. */
  function create(delivery: Delivery): Promise<boolean> {
    const { ownerId, deliveryId, createdAt, status } = delivery;
    return writeIf(() =>
      deliveries
        .build(PutItemCommand)
        .item({
          ...delivery,
          ownerKey: `${ownerId}#delivery`,
          ownerSort: `${new Date(createdAt).toISOString()}#${deliveryId}`,
          expiresAtEpochSeconds: expiryAfter(createdAt, alertDays),
          ...(status === 'pending' && { unfinishedShard: shardOfId(deliveryId) }),
        })
        .options({ condition: { attr: 'deliveryId', exists: false } })
        .send(),
    );
  }

  return {
    ...createDeliveryAttempts(deliveries),
    ...createDeliveryReads(table, deliveries),
    find,
    create,

    /**
     * Adds alerts to a delivery that is new or waits for its first claim, all or none.
     * A repeat changes nothing.
     * @returns false when the delivery has begun without them, or is full.
     */
    async join(delivery: Delivery, alertIds: ReadonlySet<string>): Promise<boolean> {
      const { deliveryId, isUrgent } = delivery;
      if (await create({ ...delivery, alertIds: new Set(alertIds) })) return true;
      const joined = await writeIf(() =>
        deliveries
          .build(UpdateItemCommand)
          .item({
            deliveryId,
            alertIds: $add(new Set(alertIds)),
            ...(isUrgent && { isUrgent }),
          })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'pending' },
                { attr: 'claims', eq: 0 },
                { size: 'alertIds', lt: alertsPerDelivery },
              ],
            },
          })
          .send(),
      );
      if (joined) return true;
      const there = (await find(deliveryId))?.alertIds;
      return [...alertIds].every((alertId) => there?.has(alertId));
    },

    /** Makes a delivery that waits for its first attempt due now. @returns false if none waits. */
    makeDue(deliveryId: string, now: number): Promise<boolean> {
      return writeIf(() =>
        deliveries
          .build(UpdateItemCommand)
          .item({ deliveryId, nextAttemptAt: now })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'pending' },
                { attr: 'nextAttemptAt', gt: now },
              ],
            },
          })
          .send(),
      );
    },

    /** Restarts a finished delivery under its own id. @returns false if it was sent or still runs. */
    replay(deliveryId: string, now: number): Promise<boolean> {
      return writeIf(() =>
        deliveries
          .build(UpdateItemCommand)
          .item({
            deliveryId,
            status: 'pending',
            attempts: 0,
            nextAttemptAt: now,
            dueAt: now,
            replayedAt: now,
            isOurFault: $remove(),
            unfinishedShard: shardOfId(deliveryId),
          })
          .options({ condition: { attr: 'status', in: [...replayable] } })
          .send(),
      );
    },
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
