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

/** Public by its range, but Azure's own: it answers a virtual machine's metadata and keys. */
const platformAddresses = new Set(['168.63.129.16']);

/** All that is routed as public IPv6; everything else is set aside or not yet given out (IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Judges a URL by its text alone; the addresses that its host resolves to are judged at sending. The
 * URL parser has already made every odd spelling of an address (decimal, octal, hex, full-width,
 * a trailing dot) canonical.
 */
export function judgeUrl(text: string, policy: OutboundPolicy): URL | RefusalReason {
  const url = URL.parse(text);
  if (!url) return 'not_a_url';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  const literal = literalAddress(url.hostname);
  const isLoopback =
    isLocalhost(url.hostname) || (literal !== undefined && isLoopbackAddress(literal));
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
 * link-local (metadata), shared, documentation or multicast range, and no IPv6 form that leads to an
 * IPv4 address by translation or a tunnel (NAT64, 6to4, Teredo, compatible); a mapped one counts as the
 * IPv4 address that it is.
 */
export function mayConnectTo(address: string, policy: OutboundPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  if (policy.loopback === 'allowed' && isLoopbackAddress(address)) return true;
  const real = ipaddr.process(address);
  if (real.range() !== 'unicast' || platformAddresses.has(real.toString())) return false;
  return real instanceof ipaddr.IPv4 || real.match(globalUnicast);
}

function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** The address in a URL's host, if it is one. */
function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

function isLocalhost(hostname: string): boolean {
  return /^localhost\.?$/.test(hostname);
}

/** Names that resolve inside a network only, and names without a dot, which a search list completes. */
function isLocalName(hostname: string): boolean {
  const isBare = !hostname.replace(/\.$/, '').includes('.') && !hostname.startsWith('[');
  return (
    isBare ||
    /\.(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa)\.?$/.test(hostname)
  );
}
