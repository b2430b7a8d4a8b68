// Signed links that act without a login: only the reader of the message has them. A link holds a channel and
// one action, and permits nothing else.
import { isMacOf, macBytes, macOf } from './link-mac.ts';

export type LinkAction = 'manage' | 'confirm';

export interface Link {
  action: LinkAction;
  channelId: string;
}

/** A confirmation link expires after a week; the owner can then ask for a new one. */
const confirmableForMs = 7 * 24 * 3_600_000;
const idBytes = 16;
const expiryBytes = 6;
const channelPrefix = 'ch_';

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
  async function urlOf(link: Link, expiresAt: number): Promise<string> {
    const payload = Buffer.alloc(1 + idBytes + expiryBytes);
    payload.write(link.action.charAt(0), 0, 'ascii');
    payload.write(link.channelId.slice(channelPrefix.length), 1, idBytes, 'hex');
    payload.writeUIntBE(Math.floor(expiresAt / 1_000), 1 + idBytes, expiryBytes);
    const mac = macOf(payload, await readSecret());
    return `${publicUrl}/l/${Buffer.concat([payload, mac]).toString('base64url')}`;
  }

  return {
    manageUrl: (channelId) => urlOf({ action: 'manage', channelId }, 0),
    confirmUrl: (channelId, now) => urlOf({ action: 'confirm', channelId }, now + confirmableForMs),
    async read(token, now) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== 1 + idBytes + expiryBytes + macBytes) return undefined;
      const payload = bytes.subarray(0, -macBytes);
      if (!isMacOf(bytes.subarray(-macBytes), payload, await readSecret())) return undefined;
      const expiresAt = payload.readUIntBE(1 + idBytes, expiryBytes) * 1_000;
      if (expiresAt > 0 && expiresAt <= now) return undefined;
      const action = payload.toString('ascii', 0, 1) === 'm' ? 'manage' : 'confirm';
      const channelId = channelPrefix + payload.toString('hex', 1, 1 + idBytes);
      return { action, channelId };
    },
  };
}
