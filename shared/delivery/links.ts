// Signed links that act without a login: only the reader of the message has them. A link holds a channel and
// one action, and permits nothing else.
import { alertLetters } from './alert-links.ts';
import { isMacOf, macOf } from './link-mac.ts';
import { type TokenParts, tokenParts, tokenPayload, tokenText } from './link-token.ts';

/** A link to a channel's own page. */
export interface OwnLink {
  action: 'manage' | 'confirm';
  channelId: string;
}

/** A link of ours. `alert` and `chart` name an alert of the channel's owner; alert-links.ts makes them. */
export type Link = OwnLink | { action: 'alert' | 'chart'; channelId: string; alertId: string };
export type LinkAction = Link['action'];

/** A confirmation link expires after a week; the owner can then ask for a new one. */
const confirmableForMs = 7 * 24 * 3_600_000;
const expiryBytes = 6;

const actionOfLetter = new Map<string, LinkAction>([
  ['m', 'manage'],
  ['c', 'confirm'],
  [alertLetters.page, 'alert'],
  [alertLetters.chart, 'chart'],
]);

export interface Links {
  /** The page where a channel and its watches can be stopped; the link never expires. */
  manageUrl(channelId: string): Promise<string>;
  /** The page where an address is confirmed. */
  confirmUrl(channelId: string, now: number): Promise<string>;
  /** @returns undefined for a link that we did not make, or that has expired. */
  read(token: string, now: number): Promise<Link | undefined>;
}

/**
 * @param readSecret the signing secret of the deployment.
 * @param publicUrl where people reach the API, without a trailing slash.
 */
export function createLinks(readSecret: () => Promise<string>, publicUrl: string): Links {
  async function urlOf(payload: Buffer): Promise<string> {
    return `${publicUrl}/l/${tokenText(payload, macOf(payload, await readSecret()))}`;
  }

  return {
    manageUrl: (channelId) => urlOf(managePayload(channelId)),
    confirmUrl: (channelId, now) =>
      urlOf(tokenPayload('c', channelId, expiryOf(now + confirmableForMs))),
    read: createLinkReader(readSecret),
  };
}

/** @returns the `read` of links, for a function that makes none. */
export function createLinkReader(readSecret: () => Promise<string>): Links['read'] {
  return async function read(token, now) {
    const parts = tokenParts(token);
    const action = parts && actionOfLetter.get(parts.letter);
    if (!action) return undefined;
    const secret = await readSecret();
    return action === 'manage' || action === 'confirm'
      ? readOwn(action, parts, { secret, now })
      : readAlert(action, parts, secret);
  };
}

function readOwn(
  action: OwnLink['action'],
  { channelId, rest, payload, mac }: TokenParts,
  { secret, now }: { secret: string; now: number },
): Link | undefined {
  if (rest.length !== expiryBytes || !isMacOf(mac, payload, secret)) return undefined;
  const expiresAt = rest.readUIntBE(0, expiryBytes) * 1_000;
  return expiresAt > 0 && expiresAt <= now ? undefined : { action, channelId };
}

/** The key of an alert's token is the signature of its channel's stop address. */
function readAlert(
  action: 'alert' | 'chart',
  { channelId, rest, payload, mac }: TokenParts,
  secret: string,
): Link | undefined {
  const key = macOf(managePayload(channelId), secret);
  if (!isMacOf(mac, payload, key)) return undefined;
  return { action, channelId, alertId: rest.toString() };
}

function managePayload(channelId: string): Buffer {
  return tokenPayload('m', channelId, expiryOf(0));
}

/** The end of a link's validity, epoch ms, as seconds in six bytes; 0 for none. */
function expiryOf(expiresAt: number): Buffer {
  const bytes = Buffer.alloc(expiryBytes);
  bytes.writeUIntBE(Math.floor(expiresAt / 1_000), 0, expiryBytes);
  return bytes;
}
