/** How the client reads the sales of many events. */
import * as z from 'zod';
import { legacySalesBatchSchema, salesBatchSchema } from '../contract/batch.ts';
import { needing } from './needed-fields.ts';
import { readLegacySales, readSale } from './sales.ts';

/** The reason why an event has no rows, as the service words it. */
const batchErrors = z.record(z.string(), z.string());
export const readSalesBatch = needing(salesBatchSchema, 'results', 'errors').extend({
  results: z.record(z.string(), z.array(readSale)),
  errors: batchErrors,
});
export type SalesBatch = z.infer<typeof readSalesBatch>;
export const readLegacySalesBatch = needing(legacySalesBatchSchema, 'results', 'errors').extend({
  results: z.record(z.string(), readLegacySales),
  errors: batchErrors,
});
export type LegacySalesBatch = z.infer<typeof readLegacySalesBatch>;
