// Shows the operator each delivery that failed because of our own mistake: its message is never acknowledged,
// so SQS moves it to the DLQ. Refusals by people's receivers never go to the DLQ.
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import { longestQueueDelayMs } from '#shared/timing.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Delivery } from './delivery.ts';

/** Thrown for a message whose delivery failed because of our mistake; a retry does not help. */
export class OurFaultError extends Error {
  override readonly name = 'OurFaultError';
}

interface OurFaultsDeps {
  deliveries: Pick<DeliveryStore, 'find' | 'replay'>;
  attempt: (deliveryId: string, now: () => number) => Promise<AttemptResult>;
}

/**
 * Makes an attempt. If SQS hands out the message of a delivery that failed by our fault, the result says so
 * each time. A message that the operator redrove from the DLQ is retried, since the mistake should be fixed.
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

/** Messages wait in the queue no longer than this, so an older failure means a redrive from the DLQ. */
function failedLongAgo({ log, createdAt }: Delivery, now: number): boolean {
  return now - (log.at(-1)?.at ?? createdAt) >= longestQueueDelayMs;
}
