// The signature at the end of a link's token.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const macBytes = 16;

type Key = string | Uint8Array;

/** The first 16 bytes of the HMAC-SHA256 of a payload. */
export function macOf(payload: Uint8Array | string, key: Key): Buffer {
  return createHmac('sha256', key).update(payload).digest().subarray(0, macBytes);
}

/** Whether the signature belongs to the payload, in a time that says nothing about the right one. */
export function isMacOf(mac: Uint8Array, payload: Uint8Array | string, key: Key): boolean {
  return mac.length === macBytes && timingSafeEqual(macOf(payload, key), mac);
}
