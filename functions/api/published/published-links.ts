// Addresses that programs read without a key: a spreadsheet, a calendar, a feed reader. Each shows one view and
// permits nothing else. It belongs to the API key that asked for it, and ends with it.
import { isMacOf, macBytes, macOf } from '#shared/delivery/link-mac.ts';
import type { View } from './views.ts';

export interface PublishedLinks {
  urlOf(view: View, keyId: string): Promise<string>;
  /** @returns the key that a link belongs to; undefined for a link that we did not make. */
  read(token: string, view: View): Promise<{ keyId: string } | undefined>;
}

const idBytes = 16;
const keyPrefix = 'key_';

/**
 * @param readSecret the signing secret of the deployment.
 * @param publicUrl where programs reach the API, without a trailing slash.
 */
export function createPublishedLinks(
  readSecret: () => Promise<string>,
  publicUrl: string,
): PublishedLinks {
  return {
    async urlOf(view, keyId) {
      const id = Buffer.from(keyId.slice(keyPrefix.length), 'hex');
      const mac = macOf(payloadOf(view, id), await readSecret());
      return `${publicUrl}/p/${Buffer.concat([id, mac]).toString('base64url')}/${view}`;
    },
    async read(token, view) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== idBytes + macBytes) return undefined;
      const id = bytes.subarray(0, idBytes);
      const payload = payloadOf(view, id);
      if (!isMacOf(bytes.subarray(idBytes), payload, await readSecret())) return undefined;
      return { keyId: `${keyPrefix}${id.toString('hex')}` };
    },
  };
}

/** Differs from the payloads of message links, which the same secret signs, by its beginning. */
function payloadOf(view: View, id: Buffer): string {
  return `published/${view}/${id.toString('hex')}`;
}
