// Owners and their API keys: for admins only.
import * as z from 'zod';
import {
  type ApiKey,
  apiKeyScopes,
  createApiKey,
  newApiKeySchema,
} from '#shared/watchlist/api-key.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { Owner } from '#shared/watchlist/owner.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { notFound, problem } from '../problem.ts';

const ownerTag = 'Owners';
const keyTag = 'API keys';

const newOwnerSchema = z
  .strictObject({ name: z.string().trim().min(1).max(100) })
  .meta({ id: 'OwnerRequest' });

const ownerJsonSchema = z
  .object({ id: z.string(), name: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'OwnerRecord', description: 'The owner of a watchlist' });

const keyFields = {
  id: z.string(),
  owner_id: z.string(),
  name: z.string().nullable(),
  hint: z.string().nullable().meta({ description: 'The first characters of the key' }),
  scope: z.enum(apiKeyScopes),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().meta({ description: 'To within five minutes' }),
  revoked_at: z.iso.datetime().nullable(),
};

const keyJsonSchema = z.object(keyFields).meta({ id: 'ApiKey' });

const createdKeyJsonSchema = z
  .object({ ...keyFields, key: z.string().meta({ description: 'Shown only in this answer' }) })
  .meta({ id: 'CreatedApiKey' });

const ownerParams = z.object({
  id: z.string().meta({ description: 'The owner’s id', examples: [exampleIds.owner] }),
});
const keyParams = z.object({
  id: z.string().meta({ description: 'The key’s id', examples: [exampleIds.apiKey] }),
});

/** Owners: create, list, get. Keys: create, list, get, revoke. */
export function accessOperations(deps: ApiDeps): Operation[] {
  return [
    ...ownerOperations(deps),
    ...keyReads(deps),
    createKeyOperation(deps),
    revokeOperation(deps),
  ];
}

function ownerOperations({ stores: { access } }: ApiDeps): Operation[] {
  return [
    defineOperation({
      method: 'post',
      path: '/v1/owners',
      tag: ownerTag,
      summary: 'Add an owner',
      access: 'admin',
      body: newOwnerSchema,
      bodyExamples: { usual: { summary: 'An owner', value: { name: 'Ann’s tickets' } } },
      answer: { status: 201, description: 'The owner', schema: ownerJsonSchema },
      handle: async ({ body, newId, now }) => {
        const createdAt = new Date(now).toISOString();
        const owner: Owner = { ownerId: newId('owner'), name: body.name, createdAt };
        await access.createOwner(owner);
        return { body: ownerJson(owner) };
      },
    }),
    defineOperation({
      method: 'get',
      path: '/v1/owners',
      tag: ownerTag,
      summary: 'List owners',
      access: 'admin',
      query: pageQuerySchema,
      answer: {
        status: 200,
        description: 'A page of owners',
        schema: pageSchema('OwnerPage', ownerJsonSchema),
      },
      handle: async ({ query }) => ({
        body: pageJson(await access.list(pageRequest(query, /^own_[0-9a-f]{32}$/)), ownerJson),
      }),
    }),
    defineOperation({
      method: 'get',
      path: '/v1/owners/{id}',
      tag: ownerTag,
      summary: 'One owner',
      access: 'admin',
      params: ownerParams,
      answer: { status: 200, description: 'The owner', schema: ownerJsonSchema },
      handle: async ({ params }) => {
        const owner = await access.findOwner(params.id);
        if (!owner) throw notFound('owner');
        return { body: ownerJson(owner) };
      },
    }),
  ];
}

function createKeyOperation({ stores: { access, apiKeys } }: ApiDeps): Operation {
  return defineOperation({
    method: 'post',
    path: '/v1/keys',
    tag: keyTag,
    summary: 'Make an API key',
    description: 'The key is shown only in this answer; only its hash is stored.',
    access: 'admin',
    body: newApiKeySchema,
    bodyExamples: {
      bot: { summary: 'A key for a chat bot', value: { name: 'chat bot', scope: 'write' } },
    },
    answer: { status: 201, description: 'The key', schema: createdKeyJsonSchema, hasVersion: true },
    refusals: [404],
    handle: async ({ body, ownerId: own, newId, now }) => {
      const ownerId = body.owner_id ?? own;
      if (!(await access.findOwner(ownerId))) throw notFound('owner');
      const { key, hash, hint } = createApiKey();
      const apiKey: ApiKey = {
        ...{ hash, hint, ownerId },
        keyId: newId('apiKey'),
        name: body.name,
        scope: body.scope,
        createdAt: new Date(now).toISOString(),
      };
      await apiKeys.create(apiKey);
      return { body: { ...keyJson(apiKey), key }, version: versionOf(apiKey) };
    },
  });
}

function keyReads({ stores: { apiKeys } }: ApiDeps): Operation[] {
  return [
    defineOperation({
      method: 'get',
      path: '/v1/keys',
      tag: keyTag,
      summary: 'List an owner’s API keys',
      access: 'admin',
      query: z.strictObject({
        ...pageParams,
        owner_id: idSchema('owner').optional().meta({ description: 'Default: your own' }),
      }),
      answer: {
        status: 200,
        description: 'A page of keys',
        schema: pageSchema('ApiKeyPage', keyJsonSchema),
      },
      handle: async ({ query, ownerId }) => {
        const page = pageRequest(query, /^key_[0-9a-f]{32}$/);
        return { body: pageJson(await apiKeys.list(query.owner_id ?? ownerId, page), keyJson) };
      },
    }),
    defineOperation({
      method: 'get',
      path: '/v1/keys/{id}',
      tag: keyTag,
      summary: 'One API key',
      access: 'admin',
      params: keyParams,
      answer: { status: 200, description: 'The key', schema: keyJsonSchema, hasVersion: true },
      handle: async ({ params }) => {
        const apiKey = await apiKeys.find(params.id);
        if (!apiKey) throw notFound('API key');
        return { body: keyJson(apiKey), version: versionOf(apiKey) };
      },
    }),
  ];
}

function revokeOperation({ stores: { apiKeys } }: ApiDeps): Operation {
  return defineOperation({
    method: 'delete',
    path: '/v1/keys/{id}',
    tag: keyTag,
    summary: 'Revoke an API key',
    description: 'The key stops working at once, without a way back. A key can’t revoke itself.',
    access: 'admin',
    params: keyParams,
    answer: { status: 204, description: 'It is revoked' },
    refusals: [409],
    handle: async ({ params, ifMatch, context, now }) => {
      const apiKey = await apiKeys.find(params.id);
      if (!apiKey) throw notFound('API key');
      requireMatch(ifMatch, versionOf(apiKey));
      if (apiKey.keyId === context.get('apiKey').keyId) {
        throw problem('conflict', 'This request uses that key; revoke it with another admin key');
      }
      await apiKeys.revoke(apiKey, new Date(now).toISOString());
      return {};
    },
  });
}

function ownerJson({ ownerId, name, createdAt }: Owner) {
  return { id: ownerId, name, created_at: createdAt };
}

function keyJson(apiKey: ApiKey) {
  return {
    id: apiKey.keyId,
    owner_id: apiKey.ownerId,
    name: apiKey.name ?? null,
    hint: apiKey.hint ?? null,
    scope: apiKey.scope,
    created_at: apiKey.createdAt,
    last_used_at: apiKey.lastUsedAt ?? null,
    revoked_at: apiKey.revokedAt ?? null,
  };
}

/** A key changes only once: when it is revoked. */
function versionOf({ revokedAt }: ApiKey): number {
  return revokedAt === undefined ? 1 : 2;
}
