// Deliveries in the Watchlist table, and the index of those that are not finished.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import {
  type AttemptEntry,
  alertsPerDelivery,
  type Delivery,
  type FinalStatus,
  type LeftOut,
  withAttempt,
} from '#shared/delivery/delivery.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { deliverySchema } from './schemas/delivery-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { fromKey, leniently, orElse, readOne, updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';

const unfinished = 'unfinished';
/** Functions' clocks differ a little; a delivery due within this time counts as due. */
const clockSkewMs = 2_000;
/** What a person may have sent again. */
const replayable = ['failed', 'skipped', 'suppressed', 'unconfirmed'] as const;

/** What an attempt leaves behind, beside the state that it leads to. */
export interface AttemptRecord {
  lastReason?: string | undefined;
  leftOut?: LeftOut[] | undefined;
  entry?: AttemptEntry | undefined;
  fellBackTo?: readonly string[] | undefined;
  isOurFault?: true | undefined;
}

/** Reads and writes of deliveries. The number of a claim guards every later write under it. */
export function createDeliveryStore(table: WatchlistTable) {
  const deliveries = new Entity({
    name: 'delivery',
    table,
    timestamps: false,
    schema: deliverySchema.and({
      unfinishedShard: string().optional(),
      ownerKey: string(),
      ownerSort: string(),
    }),
    computeKey: ({ deliveryId }) => ({ pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' }),
  });
  const reading = leniently(deliveries, {
    deliveryId: fromKey('DELIVERY#'),
    isUrgent: orElse(false),
    log: orElse([]),
  });
  const shardOfId = (deliveryId: string) => shardKey(unfinished, shardOf(deliveryId));

  async function find(deliveryId: string): Promise<Delivery | undefined> {
    const action = deliveries
      .build(GetItemCommand)
      .key({ deliveryId })
      .options({ consistent: true });
    return readOne(action, reading);
  }

  /** @returns false when the delivery is there already, in whatever state. */
  function create(delivery: Delivery): Promise<boolean> {
    const { ownerId, deliveryId, createdAt, status } = delivery;
    return writeIf(() =>
      deliveries
        .build(PutItemCommand)
        .item({
          ...delivery,
          ownerKey: `${ownerId}#delivery`,
          ownerSort: `${new Date(createdAt).toISOString()}#${deliveryId}`,
          ...(status === 'pending' && { unfinishedShard: shardOfId(deliveryId) }),
        })
        .options({ condition: { attr: 'deliveryId', exists: false } })
        .send(),
    );
  }

  /** Writes under a claim. @returns false when the claim ran out and somebody else has it. */
  function writeClaimed(
    { deliveryId, claims, log }: Delivery,
    { entry, leftOut, lastReason, fellBackTo = [], isOurFault }: AttemptRecord,
    state: object,
  ): Promise<boolean> {
    return writeIf(() =>
      deliveries
        .build(UpdateItemCommand)
        .item({
          deliveryId,
          ...state,
          ...(entry && { log: $set(withAttempt(log, entry)) }),
          ...(leftOut && { leftOut: $set(leftOut) }),
          ...(lastReason !== undefined && { lastReason }),
          ...(fellBackTo.length > 0 && { fellBackTo: $add(new Set(fellBackTo)) }),
          ...(isOurFault && { isOurFault }),
        } as never)
        .options({
          condition: {
            and: [
              { attr: 'status', eq: 'sending' },
              { attr: 'claims', eq: claims },
            ],
          },
        })
        .send(),
    );
  }

  return {
    find,
    create,

    /**
     * Puts alerts into a delivery that is made with them or waits for its first claim, all or none.
     * Doing it again changes nothing.
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
        const action = deliveries
          .build(UpdateItemCommand)
          .item({
            deliveryId,
            status: 'sending',
            attempts: $add(1),
            claims: $add(1),
            nextAttemptAt: leaseUntil,
          })
          .options({
            returnValues: 'ALL_NEW',
            condition: {
              and: [
                { attr: 'nextAttemptAt', lte: now + clockSkewMs },
                { attr: 'status', in: ['pending', 'sending'] },
              ],
            },
          });
        claimed = await updateAndRead(action, reading);
      });
      return claimed;
    },

    /** Ends a claimed delivery for good, or until somebody replays it. */
    finish: (delivery: Delivery, status: FinalStatus, record: AttemptRecord, sentAt?: number) =>
      writeClaimed(delivery, record, {
        status,
        nextAttemptAt: $remove(),
        unfinishedShard: $remove(),
        ...(sentAt !== undefined && { sentAt }),
      }),

    /** Puts a claimed delivery back for another attempt at `nextAttemptAt`. */
    markForRetry: (delivery: Delivery, record: AttemptRecord, nextAttemptAt: number) =>
      writeClaimed(delivery, record, { status: 'pending', nextAttemptAt }),

    /** Puts a claimed delivery back unsent; the attempt does not count. */
    postpone: (delivery: Delivery, record: AttemptRecord, nextAttemptAt: number) =>
      writeClaimed(delivery, record, {
        status: 'pending',
        nextAttemptAt,
        attempts: $add(-1),
        mergedInto: $remove(),
      }),

    /** Notes, before anything is moved, where the alerts of a claimed delivery go. */
    noteMove: (delivery: Delivery, mergedInto: string) =>
      writeClaimed(delivery, {}, { mergedInto }),

    /** Lets a delivery that waits for its first attempt go at once. @returns false if none waits. */
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

    /** Starts a finished delivery anew, under its own id. @returns false if it was sent or still runs. */
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

    /** Unfinished deliveries of one shard whose attempt or lease is due, earliest first. */
    overdue(shard: number, before: number, limit: number): Promise<Delivery[]> {
      const part = { name: unfinished, shard, before, limit };
      return readUnfinished({ table, entity: deliveries }, part, reading);
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, deliveries, `${ownerId}#delivery`, page, reading),
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
