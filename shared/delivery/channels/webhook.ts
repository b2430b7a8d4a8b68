// A generic webhook: an owner's URL, read by a machine, signed by Standard Webhooks. Its bodies are in
// webhook-payload.ts, because the API describes them too.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import {
  alertsBody,
  channelBody,
  type PayloadVersion,
  payloadVersionSchema,
  payloadVersionWords,
} from '../message/webhook-payload.ts';
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
  /** Absent on channels that were made before version 2 existed, and on the operator's: they get 1. */
  payloadVersion: payloadVersionSchema.optional().catch(undefined),
});
export type WebhookTarget = z.infer<typeof target>;

interface GivenWebhook {
  url: string;
  payload_version?: PayloadVersion | undefined;
}

export const webhook = {
  kind: 'webhook',
  label: 'webhook',
  sender: 'webhook',
  readBy: 'machines',
  needsConfirmation: false,
  slotsOf: 'host',
  wanted: z
    .strictObject({
      kind: z.literal('webhook'),
      url: receiverUrl,
      payload_version: payloadVersionSchema.default(2).meta({ description: payloadVersionWords }),
      ...newChannelSettings,
    })
    .meta({ id: 'WebhookChannelRequest' }),
  target,
  example: { url: 'https://example.com/hook' },
  newTarget({ url, payload_version: payloadVersion }, newSecret) {
    const secrets = [{ secret: newSecret(), expiresAt: null }];
    return { kind: 'webhook', url, secrets, ...(payloadVersion && { payloadVersion }) };
  },
} as const satisfies ChannelKindRow<WebhookTarget, GivenWebhook>;

/** The version of the bodies that a webhook gets. */
export function payloadVersionOf({ payloadVersion }: WebhookTarget): PayloadVersion {
  return payloadVersion === 2 ? 2 : 1;
}

export const webhookForm: HttpForm<WebhookTarget> = {
  request(outgoing, target, now) {
    const { url, secrets } = target;
    const body = bodyOf(outgoing, payloadVersionOf(target));
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
function bodyOf({ message, told, heldFor, dueAt: at }: Outgoing, version: PayloadVersion): string {
  if (message.kind === 'alert' || message.kind === 'digest') {
    return alertsBody(told, { version, at, heldFor: heldFor ?? null });
  }
  const type = message.kind === 'test' ? 'channel.test' : 'channel.notice';
  return channelBody(type, message, { version, at });
}

/** The secrets that are valid at `now` (epoch ms), the newest first. */
export function validSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return liveSecrets(secrets, now).map(({ secret }) => secret);
}

function liveSecrets(secrets: readonly SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** When the next rotation is possible, epoch ms; undefined when it is possible at `now`. */
export function rotatableFrom(secrets: readonly SigningSecret[], now: number): number | undefined {
  const live = liveSecrets(secrets, now);
  if (live.length < mostSecrets) return undefined;
  return Math.min(...live.map(({ expiresAt }) => expiresAt ?? now + secretOverlapMs));
}

/** How long a secret stays valid after the rotation that replaced it. */
export const secretOverlapMs = 24 * 3_600_000;

/** Each valid secret signs each delivery, so their number is limited by the size of a header. */
export const mostSecrets = 10;

/**
 * The secrets after a rotation at `now`: the new one, and every old one until its own time ends. A rotation
 * never shortens the time of a secret that was handed out.
 */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: string,
  now: number,
): SigningSecret[] {
  const overlapping = liveSecrets(secrets, now).map(({ secret, expiresAt }) => ({
    secret,
    expiresAt: expiresAt ?? now + secretOverlapMs,
  }));
  return [{ secret: fresh, expiresAt: null }, ...overlapping];
}
