// A living message as a send leaves it; a test changes the parts that matter to it.
import type { Alert } from '#shared/alerts/alert.ts';
import { type LivingMessage, livingMessageOf } from '#shared/delivery/episodes/living-message.ts';
import { anAlert, firedAt } from './alerts.ts';

interface Changes extends Partial<LivingMessage> {
  alert?: Partial<Alert>;
}

/** Knicks at Heat, at or below $80: $74. @param sentAt epoch milliseconds. */
export function aLivingMessage(
  { alert, ...changes }: Changes = {},
  sentAt = firedAt + 1_000,
): LivingMessage {
  const sent = { channelId: 'ch_1', deliveryId: 'dlv_1', dueAt: sentAt, receipt: 'm1' };
  return { ...livingMessageOf(anAlert(alert), sent, sentAt), ...changes };
}
