// The link by which a reader opens a chat with the bot and so connects it to a channel. Telegram passes its token on
// as `/start TOKEN`. Only the token's hash is stored, on the channel.
import { createHash, timingSafeEqual } from 'node:crypto';

/** A link that can still be used. */
export interface OpenLink {
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** How long a link can be used: a day. */
export const linkValidMs = 24 * 3_600_000;

const channelPrefix = 'ch_';
const channelBytes = 16;
export const linkRandomBytes = 16;
/** Telegram's limit is 64 characters of A-Z, a-z, 0-9, _ and -. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * A token that names its channel.
 * @param random `linkRandomBytes` random bytes.
 */
export function chatLinkToken(channelId: string, random: Uint8Array): string {
  const channel = Buffer.from(channelId.slice(channelPrefix.length), 'hex');
  return Buffer.concat([channel, random]).toString('base64url');
}

/** The channel that a token names; undefined for a text that can't be a token of ours. */
export function channelOfToken(token: string): string | undefined {
  if (!tokenForm.test(token)) return undefined;
  return channelPrefix + Buffer.from(token, 'base64url').toString('hex', 0, channelBytes);
}

/** What is stored of a token that is made at `now`, epoch ms. */
export function openLink(token: string, now: number): OpenLink {
  return { hash: hashOf(token), expiresAt: now + linkValidMs };
}

/** Whether a token is that of a link, whether or not the link has expired. */
export function isTokenOf(token: string, link: OpenLink): boolean {
  const [given, stored] = [hashOf(token), link.hash].map((hash) => Buffer.from(hash));
  if (!given || !stored || given.length !== stored.length) return false;
  return timingSafeEqual(given, stored);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The addresses that open a chat with the bot: of the reader alone, and of a group that the reader chooses. */
export function chatLinkUrls(username: string, token: string): { chat: string; group: string } {
  const bot = `https://t.me/${username}`;
  return { chat: `${bot}?start=${token}`, group: `${bot}?startgroup=${token}` };
}
