// The secret and the signed headers of a webhook, as in Standard Webhooks. It does not send.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

export const userAgent = 'Getin/1 (+webhooks)';

const secretPrefix = 'whsec_';

/**
 * The headers of one attempt. Each attempt is signed again, so that a late retry still verifies.
 * @param webhookId the delivery's id: the same on every attempt.
 * @param secrets every secret that is valid now; each signs, so receivers verify during a rotation.
 * @param now epoch milliseconds of this attempt.
 */
export function webhookHeaders(
  webhookId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1_000);
  const signed = `${webhookId}.${timestamp}.${body}`;
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, signed)).join(' '),
  };
}

/**
 * The symmetric signature, `v1`, made by Node's HMAC: the standardwebhooks library computes the same in
 * JavaScript, at several times the cost of the rest of a delivery. Tests compare the two.
 */
function signatureOf(secret: string, signed: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`;
}

/**
 * Making a key takes five times as long as signing, and one receiver gets many messages, so cache the keys.
 */
const keys = new Map<string, KeyObject>();
const keysKept = 500;

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  if (keys.size >= keysKept) keys.clear();
  const key = createSecretKey(readSecret(secret));
  keys.set(secret, key);
  return key;
}

/** @throws RangeError for a secret that is too short: its signature would prove nothing. */
function readSecret(secret: string): Buffer {
  const bytes = Buffer.from(secret.replace(secretPrefix, ''), 'base64');
  if (bytes.length < 24) throw new RangeError('a signing secret has at least 24 bytes');
  return bytes;
}

/** A new signing secret: 32 random bytes, as Standard Webhooks writes them. */
export function createWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`;
}
