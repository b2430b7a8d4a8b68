// API keys: 256 random bits behind a recognisable prefix, known to us only by their hash.
import { createHash, randomBytes } from 'node:crypto';
import { type FormattedValue, item, string } from 'dynamodb-toolbox/schema';

/** What every key starts with, so that scanners and people recognise one. */
export const apiKeyPrefix = 'getin_';

export const apiKeySchema = item({
  hash: string().key(),
  keyId: string(),
  ownerId: string(),
  scope: string().enum('read', 'write', 'admin'),
  createdAt: string(),
});

/** A stored key; the key itself is shown once and kept nowhere. */
export type ApiKey = FormattedValue<typeof apiKeySchema>;

/** A new key with its hash. */
export function createApiKey(): { key: string; hash: string } {
  const key = `${apiKeyPrefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashApiKey(key) };
}

/** SHA-256 in hex. The key has 256 bits of entropy, so a plain hash cannot be searched. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
