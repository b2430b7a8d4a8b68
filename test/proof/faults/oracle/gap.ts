// The known gap in the design: a sender that dies, or can't write, between sending and recording
// sends again. Decides whether a second copy of a message has this cause.
import type { Receipt } from '../receipts.ts';
import type { LoggedFault } from '../run-log.ts';

/** Maximum duration of an attempt, machine milliseconds. */
const attemptMs = 6_000;
/** A fault that began this long before may still have been active. */
const lastingMs = 1_500;

const everybodys = new Set(['kill_dynamoDb', 'kill_cloud', 'kill_machine', 'timeout']);

/** @param earlier the copy before `later`, of the same message to the same place. */
export function isInGap(earlier: Receipt, later: Receipt, faults: readonly LoggedFault[]): boolean {
  // The sender did not get the answer for one of the two copies.
  if (!earlier.isAnswered || !later.isAnswered) return true;
  const sender = senderOf(earlier);
  // If a message's attempt was never logged, the next copy is unknown.
  const until =
    later === earlier ? earlier.at + attemptMs : Math.min(later.at, earlier.at + attemptMs);
  return faults.some(
    (fault) =>
      fault.at >= earlier.at - lastingMs && fault.at <= until && keepsFromRecording(fault, sender),
  );
}

/** Whether the attempt that sent a message may not have recorded it, or what comes after that. */
export function isDisturbed(receipt: Receipt, faults: readonly LoggedFault[]): boolean {
  const sender = senderOf(receipt);
  const [from, until] = [receipt.at - lastingMs, receipt.at + attemptMs];
  return faults.some(
    (fault) => fault.at >= from && fault.at <= until && keepsFromRecording(fault, sender),
  );
}

function senderOf({ place }: Receipt): string {
  return place.startsWith('/') ? 'send-webhook' : 'send-email';
}

function keepsFromRecording({ kind, where, worker }: LoggedFault, sender: string): boolean {
  if (everybodys.has(kind)) return true;
  if (worker !== sender) return false;
  return kind.startsWith('kill_') || where === `${sender}>dynamoDb`;
}
