// Which delivery a message in a chat came from: chats' messages name none, so the times of the
// deliveries' attempts tell. Each successful attempt takes one message that came within it.
import type { Receipt } from '../receipts.ts';

/** An attempt as the delivery's log has it; times by the run's clock, epoch milliseconds. */
export interface LoggedAttempt {
  deliveryId: string;
  place: string;
  isSuccess: boolean;
  startedAt: number;
  endedAt: number;
}

/** Clocks of two processes read a moment apart. */
const marginMs = 100;

/**
 * The receipts with their deliveries' ids. One that no attempt explains came from an attempt that was
 * cut off before it was logged: it gets a name of its own, and is a copy that the gap must explain.
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

/** Stands for the delivery of a message whose attempt was never logged. */
export const unlogged = 'unlogged';

function isWithin({ place, heardAt }: Receipt, attempt: LoggedAttempt): boolean {
  return (
    place === attempt.place &&
    heardAt >= attempt.startedAt - marginMs &&
    heardAt <= attempt.endedAt + marginMs
  );
}
