// How long the alerts of an attempt took from the market's refresh until their receiver had them, for the promise of
// two minutes. Waits that the reader or the receiver caused are left out.
import type { Attempted } from './attempt-result.ts';
import { receiverOf } from './sender-slots.ts';

/** Milliseconds since each alert's promise began, of the alerts that arrived and were promised. */
export function promisedDelays({ delivery, channel, told, endedAt }: Attempted): number[] {
  if (isHeldBack(delivery) || hasReceiverDelayed({ delivery, channel })) return [];
  return told.flatMap(({ alert: { promisedFrom } }) =>
    promisedFrom === undefined ? [] : [Math.max(0, endedAt - promisedFrom)],
  );
}

/** By the reader's own settings, by a replay that somebody asked for, or for a channel that had failed. */
function isHeldBack({ heldFor, replayedAt, fallbackFor }: Attempted['delivery']): boolean {
  return heldFor !== undefined || replayedAt !== undefined || fallbackFor !== undefined;
}

/** SES takes all mail and belongs to the service: a wait for it counts. */
function hasReceiverDelayed({ delivery, channel }: Pick<Attempted, 'delivery' | 'channel'>) {
  if (receiverOf(channel) === undefined) return false;
  return delivery.log.length > 0 || delivery.lastReason !== undefined;
}
