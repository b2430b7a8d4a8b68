// Assigns chat messages to deliveries: chat messages have no delivery id, so the times of the
// deliveries' attempts are used. Each successful attempt takes one message that arrived during it.
import type { Receipt } from '../receipts.ts';

/** An attempt from the delivery's log; times by the run's clock, epoch milliseconds. */
export interface LoggedAttempt {
  deliveryId: string;
  place: string;
  isSuccess: boolean;
  startedAt: number;
  endedAt: number;
}

/**
 * How much later than the sender the receiver may note a message: on a busy machine its process waits for a
 * processor. A wide margin hides no second copy, because each attempt still takes one message only.
 */
const marginMs = 1_000;

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
  const byEnd = [...attempts].sort((a, b) => a.endedAt - b.endedAt);
  const take = (attempt: LoggedAttempt): void => {
    const receipt = [...left].find((one) => isWithin(one, attempt));
    if (!receipt) return;
    left.delete(receipt);
    named.push({ ...receipt, deliveryId: attempt.deliveryId });
  };
  for (const attempt of byEnd) if (attempt.isSuccess) take(attempt);
  for (const attempt of byEnd) if (!attempt.isSuccess) take(attempt);
  return [...named, ...[...left].map((receipt) => ({ ...receipt, deliveryId: unlogged }))];
}

/** The id for a message whose attempt was never logged. */
export const unlogged = 'unlogged';

function isWithin({ place, heardAt }: Receipt, attempt: LoggedAttempt): boolean {
  return (
    place === attempt.place &&
    heardAt >= attempt.startedAt - marginMs &&
    heardAt <= attempt.endedAt + marginMs
  );
}
