// Sends one alert to one webhook and judges the answer.
import type { Alert } from '#shared/alerts/alert.ts';
import type { Delivery, SendOutcome } from '#shared/alerts/delivery.ts';
import {
  type PostAnswer,
  type postGuarded,
  RefusedAddressError,
} from '#shared/alerts/guarded-post.ts';
import { composeMessage } from '#shared/alerts/message.ts';
import type { OutboundPolicy } from '#shared/alerts/outbound-address.ts';
import { retryAfterMs } from '#shared/alerts/retry-after.ts';
import { webhookBody, webhookHeaders } from '#shared/alerts/webhook.ts';
import type { Channel } from '#shared/watchlist/channel.ts';

interface SendWebhookDeps {
  post: typeof postGuarded;
  policy: OutboundPolicy;
  now: () => number;
}

/** A sender that signs each attempt afresh and follows no redirect. */
export function createSendWebhook({ post, policy, now }: SendWebhookDeps) {
  return async function sendWebhook(
    alert: Alert,
    { target }: Channel,
    { deliveryId }: Delivery,
  ): Promise<SendOutcome> {
    if (target.kind !== 'webhook') return { kind: 'failed', reason: 'not_a_webhook_channel' };
    const body = webhookBody(alert, composeMessage(alert));
    const headers = webhookHeaders(deliveryId, body, target.secret, now());
    try {
      return judgeAnswer(await post({ url: target.url, headers, body }, policy), now());
    } catch (error) {
      if (error instanceof RefusedAddressError) return { kind: 'failed', reason: error.reason };
      return { kind: 'retry', reason: (error as NodeJS.ErrnoException).code ?? 'network' };
    }
  };
}

/** 2xx alone is success; 410 says that the receiver is gone; all else may pass (B43). */
function judgeAnswer({ status, headers }: PostAnswer, now: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 410) return { kind: 'failed', reason: 'http_410' };
  const afterMs = retryAfterMs(headers['retry-after'], now);
  return { kind: 'retry', reason: `http_${status}`, ...(afterMs !== undefined && { afterMs }) };
}
