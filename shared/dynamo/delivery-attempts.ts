// The steps of a delivery's attempt: claimed, then finished or put back. Every later write is conditional on
// the number of its claim.
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  type AttemptEntry,
  type Delivery,
  type FinalStatus,
  type LeftOut,
  withAttempt,
} from '#shared/delivery/delivery.ts';
import { writeIf } from './conditional-write.ts';
import { type DeliveryEntity, deliveryReading } from './delivery-entity.ts';
import { updateAndRead } from './stored-items.ts';

/** Functions' clocks differ slightly; a delivery due within this time counts as due. */
const clockSkewMs = 2_000;

/** What an attempt stores beside the new status. */
export interface AttemptRecord {
  lastReason?: string | undefined;
  leftOut?: LeftOut[] | undefined;
  entry?: AttemptEntry | undefined;
  fellBackTo?: readonly string[] | undefined;
  isOurFault?: true | undefined;
}

/** The part of the delivery store that attempts use. */
export function createDeliveryAttempts(deliveries: DeliveryEntity) {
  const reading = deliveryReading(deliveries);

  /**
   * Writes under a claim. The client repeats a write whose answer was lost, so an end that this claim wrote may
   * be `written` already.
   * @returns false when the claim expired and another sender has claimed it.
   */
  function writeClaimed(
    { deliveryId, claims, log }: Delivery,
    { entry, leftOut, lastReason, fellBackTo = [], isOurFault }: AttemptRecord,
    state: object,
    written: readonly FinalStatus[] = [],
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
              { attr: 'status', in: ['sending', ...written] },
              { attr: 'claims', eq: claims },
            ],
          },
        })
        .send(),
    );
  }

  return {
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

    /** Finishes a claimed delivery; only a replay can restart it. */
    finish: (delivery: Delivery, status: FinalStatus, record: AttemptRecord, sentAt?: number) =>
      writeClaimed(
        delivery,
        record,
        {
          status,
          nextAttemptAt: $remove(),
          unfinishedShard: $remove(),
          ...(sentAt !== undefined && { sentAt }),
        },
        [status],
      ),

    /** Puts a claimed delivery back for another attempt at `nextAttemptAt`. */
    markForRetry: (delivery: Delivery, record: AttemptRecord, nextAttemptAt: number) =>
      writeClaimed(delivery, record, { status: 'pending', nextAttemptAt }),

    /** Puts a claimed delivery back unsent; the attempt is not counted. */
    postpone: (delivery: Delivery, record: AttemptRecord, nextAttemptAt: number) =>
      writeClaimed(delivery, record, {
        status: 'pending',
        nextAttemptAt,
        attempts: $add(-1),
        mergedInto: $remove(),
      }),

    /** Records where the alerts of a claimed delivery go, before they are moved. */
    noteMove: (delivery: Delivery, mergedInto: string) =>
      writeClaimed(delivery, {}, { mergedInto }),
  };
}
