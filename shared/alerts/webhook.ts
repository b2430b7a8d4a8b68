// What makes a webhook one by Standard Webhooks: its secret and its signed headers. It does not send.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export const userAgent = 'Getin/1 (+webhooks)';

/**
 * The headers of one attempt, signed afresh so that a late retry still verifies.
 * @param webhookId the delivery's id: the same on every attempt.
 * @param secrets every secret that is valid now; each signs, so that a rotation breaks nothing.
 * @param now epoch milliseconds of this attempt.
 */
export function webhookHeaders(
  webhookId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const signatures = secrets.map((secret) => signerOf(secret).sign(webhookId, new Date(now), body));
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Reading a secret is a good part of a signature's cost, and one receiver gets many in a row. */
const signers = new Map<string, Webhook>();
const signersKept = 500;

function signerOf(secret: string): Webhook {
  const known = signers.get(secret);
  if (known) return known;
  if (signers.size >= signersKept) signers.clear();
  const signer = new Webhook(secret);
  signers.set(secret, signer);
  return signer;
}

/** A new signing secret: 32 random bytes, as Standard Webhooks writes them. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
