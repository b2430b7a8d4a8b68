/**
 * Sales rows of v1 and v0.3, their pages and source status. Holds no batch shapes (batch.ts).
 */
import * as z from 'zod';
import {
  cursorSchema,
  eventIdSchema,
  idTypeSchema,
  marketplaceSourceSchema,
  PAGE_LIMITS,
  pageFields,
  pageLimitSchema,
  queryIntegerSchema,
  sourceFilterSchema,
  unixSecondsSchema,
} from './values.ts';

const saleFields = {
  timestamp: unixSecondsSchema.meta({ description: 'Time of the sale, Unix seconds, UTC' }),
  quantity: z.int().min(0).meta({ description: 'Number of tickets; 0 means unknown' }),
  price: z.number(),
  zone: z.string(),
  section: z.string(),
  row: z.string(),
};

/** A v0.3 row (api.md, Sales row, rule 1); v0.1 and v0.2 are the same (facts.md). */
export const legacySaleSchema = z
  .looseObject(saleFields)
  .meta({ id: 'LegacySale', description: 'A sale as v0.3 returns it' });
export type LegacySale = z.infer<typeof legacySaleSchema>;

export const shSaleSchema = z
  .looseObject({
    ...saleFields,
    listing_id: z.int(),
    source: z.literal('sh'),
    all_in_price: z.null(),
  })
  .meta({ id: 'ShSale', description: 'A sale reported by the sh marketplace' });

export const vsSaleSchema = z
  .looseObject({
    ...saleFields,
    zone: z.literal('').meta({ description: 'Always empty; section may hold both' }),
    listing_id: z.string(),
    source: z.literal('vs'),
    all_in_price: z.number().nullable(),
    norm_zone: z.string().meta({ description: 'Zone of the same seats in sh sales, or empty' }),
    norm_section: z.string().meta({ description: 'Section of the same seats, or empty' }),
  })
  .meta({ id: 'VsSale', description: 'A sale inferred from vs listings that vanished' });

/** A v1 sales row; `source` tells which of the two shapes it has. */
export const saleSchema = z
  .discriminatedUnion('source', [shSaleSchema, vsSaleSchema])
  .meta({ id: 'Sale', description: 'A real sale transaction' });
export type SaleJson = z.infer<typeof saleSchema>;

function sourceStatusOf<S extends 'sh' | 'vs'>(source: S) {
  return z.looseObject({
    source: z.literal(source),
    collecting_since: z.iso.date().nullable().meta({ description: 'null: never seen there' }),
    tracked_for_event: z.boolean(),
    status: z.string().meta({ description: 'ok or unavailable; other values are possible' }),
  });
}

/** One element of `sources`, for either marketplace. */
export const sourceStatusSchema = sourceStatusOf('sh')
  .extend({ source: marketplaceSourceSchema })
  .meta({ id: 'SourceStatus', description: 'The state of a marketplace for this event' });
export type SourceStatus = z.infer<typeof sourceStatusSchema>;

/** Exactly two entries, `sh` first, whatever source was requested. */
export const sourcesSchema = z
  .tuple([sourceStatusOf('sh'), sourceStatusOf('vs')])
  .meta({ id: 'Sources', description: 'Two status entries, sh first' });
export type Sources = z.infer<typeof sourcesSchema>;

/** Any page of GET /v1/events/{event_id}/sales. */
export const salesPageSchema = z
  .looseObject({
    event_id: eventIdSchema.meta({ description: 'Echoes the path value' }),
    data: z.array(saleSchema),
    ...pageFields,
    total_count: z.int().min(0).optional().meta({ description: 'First page only' }),
    sources: sourcesSchema.optional().meta({ description: 'First page only' }),
  })
  .meta({ id: 'SalesPage', description: 'Sales, newest first' });
export type SalesPage = z.infer<typeof salesPageSchema>;

/** The first page always has the extra fields. */
export const salesFirstPageSchema = salesPageSchema.extend({
  total_count: z.int().min(0),
  sources: sourcesSchema,
});

export const salesQuerySchema = z.object({
  id_type: idTypeSchema.optional(),
  source: sourceFilterSchema.optional(),
  limit: pageLimitSchema(PAGE_LIMITS.sales),
  starting_after: cursorSchema.optional(),
});

/** Query of GET /v0.1|v0.2|v0.3/salesdata/get and of the v0.1 and v0.1.1 listings. */
export const legacyEventQuerySchema = z
  .object({
    event_id: queryIntegerSchema.optional().meta({
      description: 'Service event id. Give exactly one of event_id and event_id_sh',
      examples: [10_001],
    }),
    event_id_sh: queryIntegerSchema.optional().meta({
      description: 'Marketplace event id. Give exactly one of event_id and event_id_sh',
    }),
  })
  .refine((query) => (query.event_id === undefined) !== (query.event_id_sh === undefined), {
    message: 'give either event_id or event_id_sh',
    path: ['event_id'],
  });

/** The bare array of GET /v0.3/salesdata/get. */
export const legacySalesSchema = z.array(legacySaleSchema);
