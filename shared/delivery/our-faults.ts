// Keeps a delivery that failed by a mistake of ours in sight: its message is not done, so that SQS hands
// it to the DLQ, where only our own faults are. What people's receivers refuse never gets there.
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import { longestQueueDelayMs } from '#shared/timing.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Delivery } from './delivery.ts';

/** Thrown for a message whose delivery can't be made right by trying again. */
export class OurFaultError extends Error {
  override readonly name = 'OurFaultError';
}

interface OurFaultsDeps {
  deliveries: Pick<DeliveryStore, 'find' | 'replay'>;
  attempt: (deliveryId: string, now: () => number) => Promise<AttemptResult>;
}

/**
 * An attempt whose result says so each time that SQS hands out the message of a delivery which failed by
 * our fault. One that is redriven from the DLQ is tried again, since by then the mistake is mended.
 * @param receiveCount how often SQS has handed this message out, from 1.
 */
export function createAttemptInSight({ deliveries, attempt }: OurFaultsDeps) {
  return async function attemptInSight(
    deliveryId: string,
    now: () => number,
    receiveCount: number,
  ): Promise<AttemptResult> {
    const result = await attempt(deliveryId, now);
    if (result.outcome !== 'not_claimed') return result;
    const delivery = await deliveries.find(deliveryId);
    if (!delivery?.isOurFault) return result;
    if (receiveCount === 1 && failedLongAgo(delivery, now())) {
      await deliveries.replay(deliveryId, now());
      return attempt(deliveryId, now);
    }
    return { outcome: 'not_claimed', reason: delivery.lastReason, delivery, isOurFault: true };
  };
}

/** No message waits in its queue for longer: a new one was put back from the DLQ by an operator. */
function failedLongAgo({ log, createdAt }: Delivery, now: number): boolean {
  return now - (log.at(-1)?.at ?? createdAt) >= longestQueueDelayMs;
}
