// The bytes of a link's token: a letter for its kind, the channel, what else it names, and the signature.
import { macBytes } from './link-mac.ts';

const channelPrefix = 'ch_';
/** Ids of channels are UUIDs. */
const channelBytes = 16;

/** A token's parts: `rest` is what it names beside the channel, `payload` all that is signed. */
export interface TokenParts {
  letter: string;
  channelId: string;
  rest: Buffer;
  payload: Buffer;
  mac: Buffer;
}

/** The bytes that are signed. */
export function tokenPayload(letter: string, channelId: string, rest: Uint8Array): Buffer {
  const channel = Buffer.from(channelId.slice(channelPrefix.length), 'hex');
  return Buffer.concat([Buffer.from(letter, 'ascii'), channel, rest]);
}

/** The text of a token, for an address. */
export function tokenText(payload: Uint8Array, mac: Uint8Array): string {
  return Buffer.concat([payload, mac]).toString('base64url');
}

/** The parts of a token that anybody may have made; undefined if it is too short to have them. */
export function tokenParts(token: string): TokenParts | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length < 1 + channelBytes + macBytes) return undefined;
  const payload = bytes.subarray(0, -macBytes);
  return {
    letter: payload.toString('latin1', 0, 1),
    channelId: channelPrefix + payload.toString('hex', 1, 1 + channelBytes),
    rest: payload.subarray(1 + channelBytes),
    payload,
    mac: bytes.subarray(-macBytes),
  };
}
