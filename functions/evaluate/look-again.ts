// Looks at a feed again soon after its evaluation failed. The message itself comes back only after the queue's
// visibility timeout, which is minutes, and an alert may be worth nothing by then.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';

/** A fault that lasts longer is left to the queue, which retries the first message and then keeps it in its DLQ. */
const waitsSeconds = [5, 20, 60] as const;

interface FailedMessage {
  message: EvaluateMessage;
  /** How often SQS has delivered it, from 1. */
  receiveCount: number;
}

/**
 * @returns whether the message is done with: a further try is enqueued, or was the last one. The first message
 * is never done with, so that the queue retries it and a fault that stays ends in the DLQ. Does not throw.
 */
type LookAgain = (failed: FailedMessage) => Promise<boolean>;

export function createLookAgain(sendNudges: SendMessages): LookAgain {
  return async function lookAgain({ message: { tries = 0, ...feed }, receiveCount }) {
    const isFurther = tries > 0;
    const delaySeconds = waitsSeconds[tries];
    if (delaySeconds === undefined) return isFurther;
    // The tries of a message that SQS delivers again were enqueued at its first delivery.
    if (receiveCount > 1) return false;
    try {
      const body: EvaluateMessage = { ...feed, tries: tries + 1 };
      await sendNudges([{ body, group: String(feed.eventId), delaySeconds }]);
      return isFurther;
    } catch {
      return false;
    }
  };
}
