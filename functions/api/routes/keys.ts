// API keys: every key reads the keys of its owner, a write key also manages them up to its own scope, and an
// admin key manages the keys of every owner.
import * as z from 'zod';
import { apiKeyChangeSchema, newApiKeySchema } from '#shared/watchlist/api-key.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { createdKeyJsonSchema, keyJson, keyJsonSchema, keyVersion } from '../keys/key-json.ts';
import { createManageKeys, type MadeKey, type ManageKeys } from '../keys/manage-keys.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';

const tag = 'API keys';

const params = z.object({
  id: z.string().meta({ description: 'The key’s id', examples: [exampleIds.apiKey] }),
});
const answer = {
  status: 200,
  description: 'The key',
  schema: keyJsonSchema,
  hasVersion: true,
} as const;
const created = {
  status: 201,
  description: 'The new key, shown once',
  schema: createdKeyJsonSchema,
  hasVersion: true,
} as const;

/** list, create, get, rename, rotate, revoke. */
export function keyOperations(deps: ApiDeps): Operation[] {
  const manage = createManageKeys(deps);
  return [
    listOperation(deps, manage),
    createOperation(manage),
    getOperation(manage),
    renameOperation(deps, manage),
    rotateOperation(manage),
    revokeOperation(manage),
  ];
}

function listOperation({ stores: { apiKeys } }: ApiDeps, manage: ManageKeys): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/keys',
    tag,
    summary: 'List an owner’s API keys',
    description: 'Revoked and rotated keys stay in the list. No answer contains a key itself.',
    access: 'read',
    query: z.strictObject({
      ...pageParams,
      owner_id: idSchema('owner')
        .optional()
        .meta({ description: 'Default: your own. Another one: admin keys only' }),
    }),
    answer: {
      status: 200,
      description: 'A page of keys',
      schema: pageSchema('ApiKeyPage', keyJsonSchema),
    },
    refusals: [404],
    handle: async ({ query, context }) => {
      const page = pageRequest(query, /^key_[0-9a-f]{32}$/);
      const ownerId = await manage.ownerOf(context.get('apiKey'), query.owner_id);
      return { body: pageJson(await apiKeys.list(ownerId, page), keyJson) };
    },
  });
}

function createOperation(manage: ManageKeys): Operation {
  return defineOperation({
    method: 'post',
    path: '/v1/keys',
    tag,
    summary: 'Make an API key',
    description:
      'The key is shown only in this answer; only its hash is stored. Its scope is at most that of the key that asks. An owner can have 50 valid keys.',
    access: 'write',
    body: newApiKeySchema,
    bodyExamples: {
      bot: { summary: 'A key for a chat bot', value: { name: 'chat bot', scope: 'write' } },
    },
    answer: created,
    refusals: [404],
    handle: async ({ body: { owner_id, name, scope }, context, newId, now }) => {
      const asker = context.get('apiKey');
      const ownerId = await manage.ownerOf(asker, owner_id);
      const keyId = newId('apiKey');
      return createdAnswer(await manage.make(asker, { keyId, ownerId, name, scope, now }));
    },
  });
}

function getOperation(manage: ManageKeys): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/keys/{id}',
    tag,
    summary: 'One API key',
    description: 'A revoked key stays readable.',
    access: 'read',
    params,
    answer,
    handle: async ({ params: { id }, context }) => {
      const apiKey = await manage.find(context.get('apiKey'), id);
      return { body: keyJson(apiKey), version: keyVersion(apiKey) };
    },
  });
}

function renameOperation({ stores: { apiKeys } }: ApiDeps, manage: ManageKeys): Operation {
  return defineOperation({
    method: 'patch',
    path: '/v1/keys/{id}',
    tag,
    summary: 'Rename an API key',
    description: 'Only the name can be changed. For another scope, make a new key.',
    access: 'write',
    params,
    body: apiKeyChangeSchema,
    bodyExamples: { name: { summary: 'Another name', value: { name: 'chat bot of the office' } } },
    answer,
    handle: async ({ params: { id }, body: { name }, ifMatch, context }) => {
      const asker = context.get('apiKey');
      const before = await manage.findToChange(asker, id);
      requireMatch(ifMatch, keyVersion(before));
      if (!(await apiKeys.rename(before, name))) throw staleVersion();
      const apiKey = await manage.find(asker, id);
      return { body: keyJson(apiKey), version: keyVersion(apiKey) };
    },
  });
}

function rotateOperation(manage: ManageKeys): Operation {
  return defineOperation({
    method: 'post',
    path: '/v1/keys/{id}/rotation',
    tag,
    summary: 'Rotate an API key',
    description:
      'Makes a new key with the same name and scope. The old one works for another 24 hours (`ends_at` of the old key), so that programs can change over; to end it earlier, revoke it. A key can rotate itself. With an Idempotency-Key a repeated request gets the same new key.',
    access: 'write',
    params,
    answer: created,
    refusals: [412],
    handle: async ({ params: { id }, ifMatch, context, newId, now }) => {
      const old = await manage.findToChange(context.get('apiKey'), id);
      const keyId = newId('apiKey');
      // A first try of this request may have changed the old key.
      if (old.rotatedTo !== keyId) requireMatch(ifMatch, keyVersion(old));
      return createdAnswer(await manage.rotate(old, { keyId, now }));
    },
  });
}

function revokeOperation(manage: ManageKeys): Operation {
  return defineOperation({
    method: 'delete',
    path: '/v1/keys/{id}',
    tag,
    summary: 'Revoke an API key',
    description:
      'The key stops working at once, without a way back. A key can revoke itself if another valid key of its owner has at least its scope; otherwise the answer is 409.',
    access: 'write',
    params,
    answer: { status: 204, description: 'It is revoked' },
    refusals: [409],
    handle: async ({ params: { id }, ifMatch, context, now }) => {
      const asker = context.get('apiKey');
      const apiKey = await manage.findToChange(asker, id);
      requireMatch(ifMatch, keyVersion(apiKey));
      await manage.revoke(asker, apiKey, now);
      return {};
    },
  });
}

function createdAnswer({ apiKey, key }: MadeKey) {
  return { body: { ...keyJson(apiKey), key }, version: keyVersion(apiKey) };
}
