// Encrypts text for a table so that only the holder of a secret can read it: AES-256-GCM under a key
// derived from it. The secret must have the entropy of an API key; passwords are not for this. The text is
// compressed, because an item of a table is limited to 400 KB and a report of an import is longer.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Marks compressed texts; it is not a letter of base64. Texts of earlier versions are not compressed. */
const compressed = '~';

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'getin kept answer', 32));
}

/** The mark, and then nonce, tag and ciphertext in base64. */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyFrom(secret), nonce);
  const sealed = Buffer.concat([sealing.update(deflateRawSync(text)), sealing.final()]);
  const packed = Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
  return `${compressed}${packed}`;
}

/** @throws when it was sealed with another secret, or changed. */
export function unseal(sealed: string, secret: string): string {
  const isCompressed = sealed.startsWith(compressed);
  const bytes = Buffer.from(isCompressed ? sealed.slice(compressed.length) : sealed, 'base64');
  const opening = createDecipheriv(cipher, keyFrom(secret), bytes.subarray(0, nonceBytes));
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = opening.update(bytes.subarray(nonceBytes + tagBytes));
  const opened = Buffer.concat([text, opening.final()]);
  return (isCompressed ? inflateRawSync(opened) : opened).toString('utf8');
}
