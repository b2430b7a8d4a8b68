// Decides which addresses a person's URL may lead to; guarded-post.ts connects.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Why a URL is refused; shown to its owner. */
export type RefusalReason =
  | 'not_a_url'
  | 'not_https'
  | 'has_credentials'
  | 'port_not_allowed'
  | 'address_not_public';

/** Whether loopback receivers may be called, over http and on any port: allowed only in local runs. */
export interface OutboundPolicy {
  loopback: 'refused' | 'allowed';
}

const httpsPorts = new Set(['', '443', '8443']);

/** In a public range, but inside Azure it serves a virtual machine's metadata and keys. */
const platformAddresses = new Set(['168.63.129.16']);

/** All public IPv6 addresses; IANA reserves the rest or has not assigned it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Checks the text of a URL; the addresses of its host are checked when the message is sent. The URL parser
 * has already made every unusual spelling of an address (decimal, octal, hex, full-width, a trailing dot)
 * canonical.
 */
export function judgeUrl(text: string, policy: OutboundPolicy): URL | RefusalReason {
  const url = URL.parse(text);
  if (!url) return 'not_a_url';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  const literal = literalAddress(url.hostname);
  const isLoopback = isLocalhost(url.hostname) || literal?.range() === 'loopback';
  if (isLoopback && policy.loopback === 'allowed') {
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : 'not_https';
  }
  if (url.protocol !== 'https:') return 'not_https';
  if (!httpsPorts.has(url.port)) return 'port_not_allowed';
  if (isLoopback || isLocalName(url.hostname)) return 'address_not_public';
  if (literal && !isPublic(literal)) return 'address_not_public';
  return url;
}

/**
 * Whether a resolved address may be connected to: only public unicast. So no private, loopback, link-local
 * (metadata), shared, documentation or multicast range, and no IPv6 form that leads to an IPv4 address by
 * translation or a tunnel (NAT64, 6to4, Teredo, compatible). An IPv4-mapped address counts as its IPv4
 * address.
 */
export function mayConnectTo(address: string, policy: OutboundPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const real = ipaddr.process(address);
  return isPublic(real) || (policy.loopback === 'allowed' && real.range() === 'loopback');
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || platformAddresses.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** The IP address in a URL's host, if it is one; the URL parser has made it canonical. */
function literalAddress(hostname: string): Address | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

function isLocalhost(hostname: string): boolean {
  return /^localhost\.?$/.test(hostname);
}

/** Names that resolve only inside a network, and names without a dot, which a search list completes. */
function isLocalName(hostname: string): boolean {
  const isBare = !hostname.replace(/\.$/, '').includes('.') && !hostname.startsWith('[');
  return (
    isBare ||
    /\.(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa)\.?$/.test(hostname)
  );
}
