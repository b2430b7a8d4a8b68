// Tokens that let their holder in: 256 random bits with a recognisable prefix. We store only the hash.
import { createHash, randomBytes } from 'node:crypto';

/** A new token that begins with `prefix`, and its hash. */
export function createSecretToken(prefix: string): { token: string; hash: string } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashSecretToken(token) };
}

/** SHA-256 in hex. A token has 256 bits of entropy, so a plain hash cannot be reversed by search. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
