/**
 * Bodies and answers of the two batch sales endpoints. Reads ids as integers or ASCII digit
 * strings and refuses booleans and fractions (facts.md).
 */
import * as z from 'zod';
import { legacySaleSchema, saleSchema, sourcesSchema } from './sales.ts';
import { BATCH_MAX_EVENTS, sourceFilterSchema } from './values.ts';

const batchIdSchema = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be digits')
    .transform(Number)
    .pipe(z.int()),
]);

const batchIdsSchema = z
  .array(batchIdSchema)
  .transform((ids) => [...new Set(ids)])
  .meta({ type: 'array' });

/** Body of both batch endpoints; duplicates are dropped per list, at most 100 remain in all. */
export const salesBatchBodySchema = z
  .object({
    event_ids: batchIdsSchema.optional().meta({ description: 'Service event ids' }),
    event_ids_sh: batchIdsSchema.optional().meta({ description: 'Marketplace event ids' }),
  })
  .superRefine((body, context) => {
    const total = (body.event_ids?.length ?? 0) + (body.event_ids_sh?.length ?? 0);
    if (total >= 1 && total <= BATCH_MAX_EVENTS) return;
    context.addIssue({
      code: 'custom',
      path: ['event_ids'],
      message: `give 1 to ${BATCH_MAX_EVENTS} event ids over both lists, not ${total}`,
    });
  })
  .meta({
    id: 'SalesBatchBody',
    description:
      'The events to read sales of: 1 to 100 ids over both lists; duplicates are dropped',
    examples: [{ event_ids: [10_001] }],
  });
export type SalesBatchBody = z.infer<typeof salesBatchBodySchema>;

/** `source` is a query parameter of the v1 batch, not a body field. */
export const salesBatchQuerySchema = z.object({ source: sourceFilterSchema.optional() });

/** Why an event of a batch came without rows. */
export const batchErrorSchema = z
  .enum(['not_found', 'payment_required'])
  .meta({ id: 'BatchError', description: 'Why an event of the batch has no rows' });
export type BatchError = z.infer<typeof batchErrorSchema>;

const batchErrorsSchema = z.record(z.string(), batchErrorSchema);

/** Answer of POST /v1/events/sales/batch, keyed by the decimal id as sent. */
export const salesBatchSchema = z
  .looseObject({
    results: z.record(z.string(), z.array(saleSchema)),
    errors: batchErrorsSchema,
    sources: z.record(z.string(), sourcesSchema),
  })
  .meta({ id: 'SalesBatch', description: 'All rows of each event, without pagination' });
export type SalesBatchJson = z.infer<typeof salesBatchSchema>;

/** Answer of POST /v0.3/salesdata/batch. */
export const legacySalesBatchSchema = z
  .looseObject({
    results: z.record(z.string(), z.array(legacySaleSchema)),
    errors: batchErrorsSchema,
  })
  .meta({ id: 'LegacySalesBatch', description: 'All v0.3 rows of each event' });
export type LegacySalesBatchJson = z.infer<typeof legacySalesBatchSchema>;
