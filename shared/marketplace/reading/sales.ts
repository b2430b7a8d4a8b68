/** How the client reads sales of v1 and v0.3. */
import * as z from 'zod';
import {
  legacySaleSchema,
  salesPageSchema,
  shSaleSchema,
  vsSaleSchema,
} from '../contract/sales.ts';
import { needing } from './needed-fields.ts';
import { pageNeeds } from './readable-rows.ts';

const saleFields = ['timestamp', 'quantity', 'price', 'zone', 'section', 'row'] as const;
export const readSale = z.discriminatedUnion('source', [
  needing(shSaleSchema, 'source', ...saleFields),
  needing(vsSaleSchema, 'source', ...saleFields).extend({ zone: z.string() }),
]);
export type Sale = z.infer<typeof readSale>;

export const readSalesPage = needing(salesPageSchema, ...pageNeeds).extend({
  data: z.array(readSale),
});
export const readLegacySales = z.array(needing(legacySaleSchema, ...saleFields));
