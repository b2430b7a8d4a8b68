// The owners of watchlists: for admins only.
import * as z from 'zod';
import type { Owner } from '#shared/watchlist/owner.ts';
import { ownerNameSchema } from '#shared/watchlist/owner-change.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { notFound } from '../problem.ts';

const tag = 'Owners';

const newOwnerSchema = z.strictObject({ name: ownerNameSchema }).meta({ id: 'OwnerRequest' });

export const ownerRecordSchema = z
  .object({ id: z.string(), name: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'OwnerRecord', description: 'The owner of a watchlist' });

const ownerParams = z.object({
  id: z.string().meta({ description: 'The owner’s id', examples: [exampleIds.owner] }),
});

/** create, list, get. */
export function ownersOperations({ stores: { access } }: ApiDeps): Operation[] {
  return [
    defineOperation({
      method: 'post',
      path: '/v1/owners',
      tag,
      summary: 'Add an owner',
      description: 'Then make its first key with POST /v1/keys.',
      access: 'admin',
      body: newOwnerSchema,
      bodyExamples: { usual: { summary: 'An owner', value: { name: 'Ann’s tickets' } } },
      answer: { status: 201, description: 'The owner', schema: ownerRecordSchema },
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
      tag,
      summary: 'List owners',
      description: 'All owners of the deployment, with their names.',
      access: 'admin',
      query: pageQuerySchema,
      answer: {
        status: 200,
        description: 'A page of owners',
        schema: pageSchema('OwnerPage', ownerRecordSchema),
      },
      handle: async ({ query }) => ({
        body: pageJson(await access.list(pageRequest(query, /^own_[0-9a-f]{32}$/)), ownerJson),
      }),
    }),
    defineOperation({
      method: 'get',
      path: '/v1/owners/{id}',
      tag,
      summary: 'One owner',
      description: 'Its name and when it was added.',
      access: 'admin',
      params: ownerParams,
      answer: { status: 200, description: 'The owner', schema: ownerRecordSchema },
      handle: async ({ params }) => {
        const owner = await access.findOwner(params.id);
        if (!owner) throw notFound('owner');
        return { body: ownerJson(owner) };
      },
    }),
  ];
}

function ownerJson({ ownerId, name, createdAt }: Owner) {
  return { id: ownerId, name, created_at: createdAt };
}
