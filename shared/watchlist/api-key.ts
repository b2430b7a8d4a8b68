// API keys: 256 random bits with a recognisable prefix. We store only the hash.
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { idSchema } from './id.ts';

/** The prefix of every key, so that people and secret scanners recognise a key. */
export const apiKeyPrefix = 'getin_';

export const apiKeyScopes = ['read', 'write', 'admin'] as const;

/** A stored key; the key itself is shown once and not stored. Times are ISO 8601. */
export interface ApiKey {
  hash: string;
  keyId: string;
  ownerId: string;
  name?: string | undefined;
  /** The start of the key: enough to tell two keys apart, too short to use. */
  hint?: string | undefined;
  scope: (typeof apiKeyScopes)[number];
  createdAt: string;
  lastUsedAt?: string | undefined;
  /** Absent while the key is valid. */
  revokedAt?: string | undefined;
}

/** How many letters of the random part the hint shows. */
const hintLetters = 4;

/** A new key with its hash and hint. */
export function createApiKey(): { key: string; hash: string; hint: string } {
  const key = `${apiKeyPrefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashApiKey(key), hint: hintOf(key) };
}

/** "getin_x8Yb…" */
export function hintOf(key: string): string {
  return `${key.slice(0, apiKeyPrefix.length + hintLetters)}…`;
}

/** SHA-256 in hex. The key has 256 bits of entropy, so a plain hash cannot be reversed by search. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The last use of a key is stored at most this often, to save writes. */
export const lastUsedEveryMs = 5 * 60_000;

/** The body of `POST /v1/keys`. */
export const newApiKeySchema = z
  .strictObject({
    owner_id: idSchema('owner')
      .optional()
      .meta({ description: 'The owner that the key belongs to; default: your own' }),
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .meta({ description: 'The name of the key: what it is used for' }),
    scope: z.enum(apiKeyScopes).meta({
      description: 'read: can read; write: can also change; admin: can also make owners and keys',
    }),
  })
  .meta({ id: 'KeyRequest' });
