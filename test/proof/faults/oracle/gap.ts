// The gap that the design names: a sender that dies, or can't write, between sending and recording
// sends again. Tells whether a second copy of a message came out of it.
import type { Receipt } from '../receipts.ts';
import type { LoggedFault } from '../run-log.ts';

/** An attempt is over by then, machine milliseconds. */
const attemptMs = 6_000;
/** What began so long before may still have been going on. */
const lastingMs = 1_500;

const everybodys = new Set(['kill_dynamoDb', 'kill_cloud', 'kill_machine', 'timeout']);

/** @param earlier the copy before `later`, of the same message to the same place. */
export function isInGap(earlier: Receipt, later: Receipt, faults: readonly LoggedFault[]): boolean {
  // The sender never heard that one of the two was taken.
  if (!earlier.isAnswered || !later.isAnswered) return true;
  const sender = senderOf(earlier);
  // Of a message whose attempt was never logged, the copy that followed is not known.
  const until =
    later === earlier ? earlier.at + attemptMs : Math.min(later.at, earlier.at + attemptMs);
  return faults.some(
    (fault) =>
      fault.at >= earlier.at - lastingMs && fault.at <= until && keepsFromRecording(fault, sender),
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
