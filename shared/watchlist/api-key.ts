// API keys: secret tokens of an owner, with a scope.
import * as z from 'zod';
import { idSchema } from './id.ts';
import { createSecretToken } from './secret-token.ts';

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
  /** When a rotated key stops working. */
  endsAt?: string | undefined;
  /** The id of the key that it was rotated to. */
  rotatedTo?: string | undefined;
  /** Absent while the key is not revoked. */
  revokedAt?: string | undefined;
  /** The deletion of its owner, which revoked it. */
  deletionId?: string | undefined;
  /** Grows with each change of the key. */
  revision?: number | undefined;
}

/** How long a rotated key works beside the new one. */
export const rotationGraceMs = 24 * 3_600_000;

/** Whether a key still gives access at a time (epoch ms): it is neither revoked nor rotated out. */
export function isValidAt({ revokedAt, endsAt }: ApiKey, now: number): boolean {
  return revokedAt === undefined && (endsAt === undefined || Date.parse(endsAt) > now);
}

/** Whether a scope allows all that another one allows. */
export function coversScope(has: ApiKey['scope'], other: ApiKey['scope']): boolean {
  return apiKeyScopes.indexOf(has) >= apiKeyScopes.indexOf(other);
}

/** How many letters of the random part the hint shows. */
const hintLetters = 4;

/** A new key with its hash and hint. */
export function createApiKey(): { key: string; hash: string; hint: string } {
  const { token, hash } = createSecretToken(apiKeyPrefix);
  return { key: token, hash, hint: hintOf(token) };
}

/** "getin_x8Yb…" */
export function hintOf(key: string): string {
  return `${key.slice(0, apiKeyPrefix.length + hintLetters)}…`;
}

/** The last use of a key is stored at most this often, to save writes. */
export const lastUsedEveryMs = 5 * 60_000;

const keyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'The name of the key: what it is used for' });

/** The body of `POST /v1/keys`. */
export const newApiKeySchema = z
  .strictObject({
    owner_id: idSchema('owner').optional().meta({
      description:
        'The owner that the key belongs to; default: your own. Another one: admin keys only',
    }),
    name: keyNameSchema,
    scope: z.enum(apiKeyScopes).meta({
      description:
        'At most the scope of the key that asks. read: can read; write: can also change, and manage keys of its owner; admin: can also manage owners, and keys of every owner',
    }),
  })
  .meta({ id: 'KeyRequest' });

/** The body of `PATCH /v1/keys/{id}`. */
export const apiKeyChangeSchema = z.strictObject({ name: keyNameSchema }).meta({ id: 'KeyChange' });
