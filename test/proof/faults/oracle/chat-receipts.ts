// Assigns chat messages to deliveries, because chat messages have no delivery id. An attempt takes the message that its
// answer names; without such an answer, each successful attempt takes one message that arrived during it.
import type { Receipt } from '../receipts.ts';

/** An attempt from the delivery's log; times by the run's clock, epoch milliseconds. */
export interface LoggedAttempt {
  deliveryId: string;
  place: string;
  outcome: string;
  /** The receiver's number of the message, from the answer; Slack and Teams give none. */
  messageId?: string | undefined;
  startedAt: number;
  endedAt: number;
}

/**
 * The possible difference between the times of sender and receiver. Usually it is that of two clocks; on a
 * busy machine the receiver's process also waits for a processor. The wide margin is used only for what the
 * narrow one leaves, and hides no second copy, because each attempt takes one message only.
 */
const marginsMs = [100, 1_000];

/**
 * The receipts with their deliveries' ids. A receipt that no attempt explains came from an attempt that was
 * interrupted before it was logged: it gets its own id, and is a copy that only the gap can explain.
 */
export function nameDeliveries(
  receipts: readonly Receipt[],
  attempts: readonly LoggedAttempt[],
): Receipt[] {
  const left = new Set(receipts);
  const named: Receipt[] = [];
  const take = (attempt: LoggedAttempt, isOf: (receipt: Receipt) => boolean): boolean => {
    const receipt = [...left].find(isOf);
    if (!receipt) return false;
    left.delete(receipt);
    named.push({ ...receipt, deliveryId: attempt.deliveryId });
    return true;
  };
  // The receiver of a throttled attempt has refused its message.
  const taken = attempts.filter(({ outcome }) => outcome !== 'throttled');
  const unnamed = taken.filter((one) => !take(one, (receipt) => isNamedBy(receipt, one)));
  const byEnd = unnamed.sort((a, b) => a.endedAt - b.endedAt);
  for (const isSuccess of [true, false]) {
    let without = byEnd.filter(({ outcome }) => (outcome === 'sent') === isSuccess);
    for (const marginMs of marginsMs) {
      without = without.filter((one) => !take(one, (receipt) => isWithin(receipt, one, marginMs)));
    }
  }
  return [...named, ...[...left].map((receipt) => ({ ...receipt, deliveryId: unlogged }))];
}

/** The id for a message whose attempt was never logged. */
export const unlogged = 'unlogged';

function isNamedBy({ place, sent }: Receipt, attempt: LoggedAttempt): boolean {
  return place === attempt.place && sent !== undefined && sent.messageId === attempt.messageId;
}

function isWithin({ place, heardAt }: Receipt, attempt: LoggedAttempt, marginMs: number): boolean {
  return (
    place === attempt.place &&
    heardAt >= attempt.startedAt - marginMs &&
    heardAt <= attempt.endedAt + marginMs
  );
}
