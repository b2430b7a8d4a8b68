// Which addresses a person's URL may lead to. Decides only; guarded-post.ts connects.
import ipaddr from 'ipaddr.js';

/** Why a URL is refused; shown to its owner. */
export type RefusalReason =
  | 'not_a_url'
  | 'not_https'
  | 'has_credentials'
  | 'port_not_allowed'
  | 'address_not_public';

/** Whether loopback receivers may be called, over http and on any port: true for local runs alone. */
export interface OutboundPolicy {
  loopback: 'refused' | 'allowed';
}

const httpsPorts = new Set(['', '443', '8443']);

/** Judges a URL by its text alone; the addresses that its host resolves to are judged at sending. */
export function judgeUrl(text: string, policy: OutboundPolicy): URL | RefusalReason {
  if (!URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  const literal = literalAddress(url.hostname);
  const isLoopback =
    url.hostname === 'localhost' || (literal !== undefined && isLoopbackAddress(literal));
  if (isLoopback && policy.loopback === 'allowed') {
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : 'not_https';
  }
  if (url.protocol !== 'https:') return 'not_https';
  if (!httpsPorts.has(url.port)) return 'port_not_allowed';
  if (isLoopback || isLocalName(url.hostname)) return 'address_not_public';
  if (literal !== undefined && !mayConnectTo(literal, policy)) return 'address_not_public';
  return url;
}

/**
 * Whether a resolved address may be connected to: only public unicast ones, so no private, loopback,
 * link-local (metadata), shared, documentation or multicast range, in IPv4, IPv6 or mapped form.
 */
export function mayConnectTo(address: string, policy: OutboundPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  if (policy.loopback === 'allowed' && isLoopbackAddress(address)) return true;
  return ipaddr.process(address).range() === 'unicast';
}

function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** The address in a URL's host, if it is one; the URL parser has made every odd spelling canonical. */
function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal)\.?$/.test(hostname);
}
