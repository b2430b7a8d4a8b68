// The operator's webhook as its secret stores it: the URL for the deployment's notices, and the signing
// secret. Parses and changes the text; does not read or write the secret store.
import * as z from 'zod';
import { type ChannelTarget, chatOfUrl, kindOf, otherFormAt } from './channels/channels.ts';

const operatorWebhookSchema = z.strictObject({
  /** Empty if there is no webhook. */
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  /** Base64 as in Standard Webhooks; the prefix is optional, because a generated secret has none. */
  secret: z.string().regex(/^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/),
});

export interface OperatorWebhook {
  url: string;
  /** Signs messages to a generic webhook; chats do not use it. */
  secret: string;
}

/** Thrown for a secret with the wrong shape; the operator must store it again. Never quotes the secret. */
export class OperatorWebhookError extends Error {
  override readonly name = 'OperatorWebhookError';
}

const prefix = 'whsec_';

/**
 * Parses the text of the secret.
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
  if (url !== '' && otherFormAt(new URL(url))) {
    throw new OperatorWebhookError(
      "the operator webhook's URL takes messages of another product: store it without its last part, such as /slack",
    );
  }
  return { url, secret: secret.startsWith(prefix) ? secret : `${prefix}${secret}` };
}

/**
 * Replaces the URL in the secret's text, empty for none; the signing secret stays the same.
 * @throws OperatorWebhookError when the text or the URL has the wrong shape.
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
