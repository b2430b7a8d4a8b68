// How an API key is stored: by its hash.
import { item, number, string } from 'dynamodb-toolbox/schema';
import { type ApiKey, apiKeyScopes } from '#shared/watchlist/api-key.ts';
import { storedAs } from './stored-as.ts';

export const apiKeySchema = storedAs<ApiKey>()(
  item({
    hash: string().key(),
    keyId: string(),
    ownerId: string(),
    name: string().optional(),
    hint: string().optional(),
    scope: string().enum(...apiKeyScopes),
    createdAt: string(),
    lastUsedAt: string().optional(),
    endsAt: string().optional(),
    rotatedTo: string().optional(),
    revokedAt: string().optional(),
    deletionId: string().optional(),
    revision: number().optional(),
  }),
);
