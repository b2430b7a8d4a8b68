// What becomes of an unfinished delivery whose table was restored: since the moment of the backup it may have been sent.
// The table from before the restore is the witness. Pure.
import type { Delivery } from './delivery.ts';

/** The reason of a delivery that was perhaps sent before a restore; it can be replayed. */
export const perhapsSentReason = 'perhaps_sent_before_restore';

export type RestoredDelivery =
  /** Nobody has tried it since: it is sent as usual. */
  | { kind: 'keep'; reason: 'not_tried' | 'due_later' | 'finished' }
  /** The witness knows what came of it. */
  | { kind: 'adopt' }
  /** It ends as unconfirmed, and its owner decides. */
  | { kind: 'perhaps_sent'; reason: 'no_witness' | 'was_sending' };

/**
 * @param restored as the backup has it
 * @param witness as the table from before the restore has it; undefined if it has none that can be read
 * @param stoppedAt when all senders stood still, epoch milliseconds
 */
export function decideRestored(
  restored: Delivery,
  witness: Delivery | undefined,
  stoppedAt: number,
): RestoredDelivery {
  if (!isUnfinished(restored)) return { kind: 'keep', reason: 'finished' };
  if (witness === undefined) {
    const dueAt = restored.nextAttemptAt ?? restored.dueAt;
    return dueAt > stoppedAt
      ? { kind: 'keep', reason: 'due_later' }
      : { kind: 'perhaps_sent', reason: 'no_witness' };
  }
  // Its sender was stopped in the middle, or crashed.
  if (witness.status === 'sending') return { kind: 'perhaps_sent', reason: 'was_sending' };
  const isUntried = witness.status === 'pending' && witness.claims === restored.claims;
  return isUntried && restored.status === 'pending'
    ? { kind: 'keep', reason: 'not_tried' }
    : { kind: 'adopt' };
}

/** The statuses of deliveries that a sender may still take. */
export function isUnfinished({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'pending' || status === 'sending';
}
