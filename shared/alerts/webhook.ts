// An alert as a signed webhook (Standard Webhooks). It does not send.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Alert } from './alert.ts';
import type { AlertMessage } from './message.ts';

/** The JSON that receivers get; snake_case, as all public JSON. */
export function webhookBody(alert: Alert, message: AlertMessage): string {
  return JSON.stringify({
    type: 'alert.fired',
    timestamp: new Date(alert.firedAt).toISOString(),
    data: {
      alert: {
        id: alert.alertId,
        watch_id: alert.watchId,
        rule_id: alert.ruleId,
        event_id: alert.eventId,
        event_name: alert.eventName,
        headline: message.headline,
        sentence: alert.sentence,
        series: alert.series,
        direction: alert.direction,
        value: message.value,
        previous_value: message.previousValue ?? null,
        level: message.level ?? null,
        already_true: alert.alreadyTrue,
        observed_at: new Date(alert.observedAt).toISOString(),
        fired_at: new Date(alert.firedAt).toISOString(),
      },
    },
  });
}

/**
 * The headers of one attempt, signed afresh so that a late retry still verifies.
 * @param webhookId the delivery's id: the same on every attempt.
 * @param now epoch milliseconds of this attempt.
 */
export function webhookHeaders(
  webhookId: string,
  body: string,
  secret: string,
  now: number,
): Record<string, string> {
  const signature = new Webhook(secret).sign(webhookId, new Date(now), body);
  return {
    'content-type': 'application/json',
    'user-agent': 'Getin/1 (+webhooks)',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': signature,
  };
}

/** A new signing secret: 32 random bytes, as Standard Webhooks writes them. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
