// An API key as the API answers it.
import * as z from 'zod';
import { type ApiKey, apiKeyScopes } from '#shared/watchlist/api-key.ts';

const keyFields = {
  id: z.string(),
  owner_id: z.string(),
  name: z.string().nullable(),
  hint: z.string().nullable().meta({ description: 'The first characters of the key' }),
  scope: z.enum(apiKeyScopes),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().meta({ description: 'To within five minutes' }),
  ends_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it stops working; null unless it was rotated' }),
  rotated_to: z.string().nullable().meta({ description: 'The id of the key that replaces it' }),
  revoked_at: z.iso.datetime().nullable(),
};

export const keyJsonSchema = z.object(keyFields).meta({ id: 'ApiKey' });

export const createdKeyJsonSchema = z
  .object({ ...keyFields, key: z.string().meta({ description: 'Shown only in this answer' }) })
  .meta({ id: 'CreatedApiKey' });

export function keyJson(apiKey: ApiKey): z.infer<typeof keyJsonSchema> {
  return {
    id: apiKey.keyId,
    owner_id: apiKey.ownerId,
    name: apiKey.name ?? null,
    hint: apiKey.hint ?? null,
    scope: apiKey.scope,
    created_at: apiKey.createdAt,
    last_used_at: apiKey.lastUsedAt ?? null,
    ends_at: apiKey.endsAt ?? null,
    rotated_to: apiKey.rotatedTo ?? null,
    revoked_at: apiKey.revokedAt ?? null,
  };
}

/** The number of changes, plus one; a key revoked by an earlier release has no number. */
export function keyVersion({ revision, revokedAt }: ApiKey): number {
  return 1 + (revision ?? (revokedAt === undefined ? 0 : 1));
}
