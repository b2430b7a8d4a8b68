// A generic webhook: an owner's URL, read by a machine, signed by Standard Webhooks. Its bodies are in
// webhook-payload.ts, because the API describes them too.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { alertPayload, alertsBody, channelBody } from '../message/webhook-payload.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import { webhookHeaders } from '../outbound/webhook.ts';
import type { ChannelKindRow, HttpForm, Outgoing } from './channel-kind.ts';
import { gone, isSuccess, mayPass } from './judgement.ts';
import { receiverUrl, storedUrl } from './url-target.ts';

/** A secret that signs until `expiresAt` (epoch ms); null for the current secret. */
export interface SigningSecret {
  secret: string;
  expiresAt: number | null;
}

const target = z.object({
  kind: z.literal('webhook'),
  url: storedUrl,
  // A damaged time expires the secret; the channel stays usable.
  secrets: z.array(z.object({ secret: z.string(), expiresAt: z.number().nullable().catch(0) })),
});
type WebhookTarget = z.infer<typeof target>;

export const webhook = {
  kind: 'webhook',
  label: 'webhook',
  sender: 'webhook',
  readBy: 'machines',
  needsConfirmation: false,
  slotsOf: 'host',
  wanted: z.strictObject({ kind: z.literal('webhook'), url: receiverUrl, ...newChannelSettings }),
  target,
  example: { url: 'https://example.com/hook' },
  newTarget({ url }, newSecret) {
    return { kind: 'webhook', url, secrets: [{ secret: newSecret(), expiresAt: null }] };
  },
} as const satisfies ChannelKindRow<WebhookTarget, { url: string }>;

export const webhookForm: HttpForm<WebhookTarget> = {
  request(outgoing, { url, secrets }, now) {
    const body = bodyOf(outgoing);
    const headers = webhookHeaders(outgoing.deliveryId, body, validSecrets(secrets, now), now);
    return { url, body, headers };
  },

  /** Only 2xx is success; 410 says that the receiver is gone; any other status is retried. */
  judge(answer, now) {
    if (isSuccess(answer)) return { kind: 'sent' };
    if (answer.status === 410) return gone(answer);
    return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
  },
};

/** The body has the delivery's times, not the attempt's, so a retry sends equal bytes. */
function bodyOf({ message, told, heldFor, dueAt }: Outgoing): string {
  if (message.kind === 'alert' || message.kind === 'digest') {
    const payloads = told.map(({ alert, message: words }) => alertPayload(alert, words));
    return alertsBody(payloads, { at: dueAt, heldFor: heldFor ?? null });
  }
  return channelBody(message.kind === 'test' ? 'channel.test' : 'channel.notice', message, dueAt);
}

/** The secrets that are valid at `now` (epoch ms), the newest first. */
export function validSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret }) => secret);
}

/** How long the previous secret stays valid after a rotation. */
export const secretOverlapMs = 24 * 3_600_000;

/** The secrets after a rotation at `now`: the new secret, and the newest old secret until it expires. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: string,
  now: number,
): SigningSecret[] {
  const overlapping = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret, expiresAt }) => ({ secret, expiresAt: expiresAt ?? now + secretOverlapMs }));
  return [{ secret: fresh, expiresAt: null }, ...overlapping.slice(0, 1)];
}
