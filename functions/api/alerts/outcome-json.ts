// What became of an alert as JSON, in the list of alerts and for one alert.
import * as z from 'zod';
import { type AlertOutcome, alertStates } from '../alert-outcome.ts';

export const outcomeFields = {
  state: z.enum(alertStates).meta({
    description:
      'sent: at least one channel delivered it; waiting: held back or being retried; failed: every channel failed; unsent: no channel was to get it',
  }),
  reason: z.string().nullable().meta({
    description:
      'Why it is held, failed or was not sent: cool_down, cap, snoozed, muted, quiet_hours, digest, no_channel, channel_disabled, channel_unsubscribed, channel_unverified, superseded, too_old, damaged_delivery, or the receiver’s answer. Of a sent alert: perhaps_sent_before_restore if the service was restored from a backup, and only the lost data knew whether it was sent (its delivery can be replayed); else null',
  }),
  sent_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the first message with it was sent; null while none was' }),
  held_until: z.iso.datetime().nullable().meta({
    description: 'Until when it is held, such as the end of the quiet hours; null if it is not',
  }),
};

/** An outcome without the decisions. */
export function outcomeJson({ state, reason, sentAt, heldUntil }: AlertOutcome) {
  return { state, reason, sent_at: isoOrNull(sentAt), held_until: isoOrNull(heldUntil) };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
