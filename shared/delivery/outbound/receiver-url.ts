// Whether a URL may be a receiver of its kind: a public https address, and for chats the chat's own host.
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import { judgeUrl, type OutboundPolicy, type RefusalReason } from './outbound-address.ts';

export type ReceiverRefusal = RefusalReason | 'not_the_chats_host';

/** What its owner is told, after the name of the field. */
export const refusalWords: Record<ReceiverRefusal, string> = {
  not_a_url: 'must be a URL',
  not_https: 'must begin with https://',
  has_credentials: 'must not have a user name or password',
  port_not_allowed: 'must use port 443 or 8443',
  address_not_public: 'must lead to a public address',
  not_the_chats_host: 'must be an incoming-webhook address as the chat itself gives it out',
};

type HttpKind = Exclude<ChannelKind, 'email'>;

const hosts: Record<HttpKind, (url: URL) => boolean> = {
  webhook: () => true,
  slack: ({ hostname, pathname }) =>
    /^hooks\.slack(-gov)?\.com$/.test(hostname) && pathname.startsWith('/services/'),
  discord: ({ hostname, pathname }) =>
    /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname) &&
    /^\/api\/(v\d+\/)?webhooks\/\d+\//.test(pathname),
  teams: ({ hostname }) => /\.(logic\.azure\.com|api\.powerplatform\.com)$/.test(hostname),
};

/** @returns why the URL is refused, undefined when it may be used. */
export function judgeReceiverUrl(
  kind: HttpKind,
  text: string,
  policy: OutboundPolicy,
): ReceiverRefusal | undefined {
  const judged = judgeUrl(text, policy);
  if (typeof judged === 'string') return judged;
  // What passes here and not in the cloud is a receiver on this machine, which may stand for any host.
  const isLocal = typeof judgeUrl(text, { loopback: 'refused' }) === 'string';
  return isLocal || hosts[kind](judged) ? undefined : 'not_the_chats_host';
}
