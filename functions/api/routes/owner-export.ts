// Everything stored of an owner, as pages of JSON.
import * as z from 'zod';
import { ownerData } from '#shared/watchlist/owner-data.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { createExportOwner, exportPlaces } from '../owner/export-owner.ts';
import { pageJson, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';

const exportedKinds = Object.entries(ownerData).filter(([, { exported }]) => exported === true);
const kinds = exportedKinds.map(([kind]) => kind);

/** Why kinds that are about an owner are left out. */
const leftOut: Record<string, string> = Object.fromEntries(
  Object.entries(ownerData).flatMap(([kind, { exported }]) =>
    exported === true ? [] : [[kind, exported]],
  ),
);

const itemSchema = z.record(z.string(), z.unknown()).meta({
  description: 'The stored fields; times are ISO 8601, and URLs and secrets are masked',
});

const exportedSchema = z
  .object({
    kind: z.string().meta({ description: `The kind of the item: ${kinds.join(', ')}` }),
    item: itemSchema,
    parts: z
      .array(z.object({ kind: z.string(), item: itemSchema }))
      .meta({ description: 'What belongs to it, such as the decisions about an alert' }),
  })
  .meta({ id: 'ExportedItem' });

/** `GET /v1/owner/export`. */
export function ownerExportOperation({ stores: { ownerItems, budget } }: ApiDeps): Operation {
  const exportOwner = createExportOwner({ ownerItems, readSettings: budget.settings });
  return defineOperation({
    method: 'get',
    path: '/v1/owner/export',
    tag: 'Owner',
    summary: 'Everything stored of an owner',
    description:
      'The owner with its defaults and costs, keys (without the keys themselves), channels, watches with their rules, jobs, notices, alerts and deliveries, in pages. Read on with `next_cursor` until `has_more` is false. A page can be longer than `limit` by the owner’s own items, and is shorter if its items are large. `left_out` says which kinds of items an export doesn’t have, and why.',
    access: 'read',
    query: pageQuerySchema,
    answer: {
      status: 200,
      description: 'A page of stored items',
      schema: pageSchema('OwnerExport', exportedSchema, {
        left_out: z
          .record(z.string(), z.string())
          .meta({ description: 'Kinds of stored items that are not exported, and why' }),
      }),
      isUncached: true,
    },
    handle: async ({ ownerId, query, now }) => {
      const page = await exportOwner(ownerId, pageRequest(query, exportPlaces), now);
      return { body: { ...pageJson(page, (row) => row), left_out: leftOut } };
    },
  });
}
