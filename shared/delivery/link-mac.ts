// The signature at the end of a link's token. Making one needs the deployment's secret.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const macBytes = 16;

/** The first 16 bytes of the HMAC-SHA256 of a payload. */
export function macOf(payload: Uint8Array | string, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, macBytes);
}

/** Whether the signature belongs to the payload, in a time that says nothing about the right one. */
export function isMacOf(mac: Uint8Array, payload: Uint8Array | string, secret: string): boolean {
  return mac.length === macBytes && timingSafeEqual(macOf(payload, secret), mac);
}
