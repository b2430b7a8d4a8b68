// Checks a URL for a kind of channel: a public https address, and for a chat one of its own URLs.
import { type ChannelKind, chatOfUrl, kindOf, otherFormAt } from '../channels/channels.ts';
import { judgeUrl, type OutboundPolicy, type RefusalReason } from './outbound-address.ts';

const refusalWords: Record<RefusalReason, string> = {
  not_a_url: 'must be a URL',
  not_https: 'must begin with https://',
  has_credentials: 'must not have a user name or password',
  port_not_allowed: 'must use port 443 or 8443',
  address_not_public: 'must resolve to a public address',
};

/**
 * @returns why the URL is refused, in words that follow the name of the field; undefined if it may be used.
 */
export function receiverFault(
  kind: ChannelKind,
  text: string,
  policy: OutboundPolicy,
): string | undefined {
  const judged = judgeUrl(text, policy);
  if (typeof judged === 'string') return refusalWords[judged];
  // Accepted only because loopback is allowed: a receiver on this machine, which may stand for any host.
  const isLocal = typeof judgeUrl(text, { loopback: 'refused' }) === 'string';
  return isLocal ? undefined : wrongKindFault(kind, judged);
}

function wrongKindFault(kind: ChannelKind, url: URL): string | undefined {
  const other = otherFormAt(url);
  if (other) return otherFormWords(other, url);
  const { isOwnUrl } = kindOf({ kind });
  if (isOwnUrl) {
    return isOwnUrl(url) ? undefined : 'must be an incoming-webhook URL that the chat issued';
  }
  const chat = chatOfUrl(url);
  return chat?.acceptsOnlyItsForm
    ? `is an address of ${chat.label}, which accepts no generic webhooks: use the kind ${chat.kind}`
    : undefined;
}

/** Words for a URL that takes the messages of another product. */
function otherFormWords(
  { label, kind }: { label: string; kind: ChannelKind },
  { pathname }: URL,
): string {
  const ending = pathname.replace(/\/$/, '').split('/').at(-1);
  return `is an address of ${label} for messages of another product: use the kind ${kind}, and the URL without /${ending}`;
}
