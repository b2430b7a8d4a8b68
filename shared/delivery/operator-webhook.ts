// The operator's webhook as its secret holds it: where the deployment's notices go, and what signs
// them. It reads and changes the secret's text; it fetches and stores nothing.
import * as z from 'zod';
import { type ChannelTarget, chatOfUrl, kindOf } from './channels/channels.ts';

const operatorWebhookSchema = z.strictObject({
  /** Empty for none. */
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  /** Base64, as Standard Webhooks writes it, with or without its prefix: a generated one has none. */
  secret: z.string().regex(/^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/),
});

export interface OperatorWebhook {
  url: string;
  /** Signs what a machine gets; a chat has no use for it. */
  secret: string;
}

/** Thrown when the secret is not of its shape: the operator has to put it again. Never says what it holds. */
export class OperatorWebhookError extends Error {
  override readonly name = 'OperatorWebhookError';
}

const prefix = 'whsec_';

/**
 * What the secret's text says.
 * @throws OperatorWebhookError
 */
export function readOperatorWebhook(text: string): OperatorWebhook {
  const parsed = operatorWebhookSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new OperatorWebhookError(
      'the operator webhook\'s secret must be JSON: {"url":"https://…","secret":"whsec_…"}',
    );
  }
  const { url, secret } = parsed.data;
  return { url, secret: secret.startsWith(prefix) ? secret : `${prefix}${secret}` };
}

/**
 * The secret's text with another address, empty for none; what signs stays the same.
 * @throws OperatorWebhookError when the text or the address is not of its shape.
 */
export function pointOperatorWebhook(text: string, url: string): string {
  const pointed = JSON.stringify({ ...readOperatorWebhook(text), url });
  readOperatorWebhook(pointed);
  return pointed;
}

/** The target of the operator's channel: a chat if the URL is one of a chat's own, else a generic webhook. */
export function operatorTarget({ url, secret }: OperatorWebhook): ChannelTarget {
  const kind = chatOfUrl(new URL(url)) ?? kindOf({ kind: 'webhook' });
  return kind.newTarget({ url }, () => secret);
}

/** The parser's own message would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
