/** How the client reads events of the search and of the daily CSV. */
import * as z from 'zod';
import { eventSchema, legacySearchResultSchema, searchPageSchema } from '../contract/search.ts';
import { needing } from './needed-fields.ts';
import { pageNeeds, rowByRow } from './readable-rows.ts';

/**
 * An event of the catalog; also reads the daily CSV's rows. The date is validated later, per event:
 * an invalid date must not fail the whole page.
 */
export const readEvent = needing(eventSchema, 'event_id', 'event_name', 'event_date').extend({
  event_date: z.string(),
});
export type MarketplaceEvent = z.infer<typeof readEvent>;
export const readSearchPage = rowByRow(
  needing(searchPageSchema, ...pageNeeds).extend({ data: z.array(readEvent) }),
);

const legacyEvent = needing(
  legacySearchResultSchema.shape.items.element,
  ...(['event_id', 'event_name', 'event_date'] as const),
);
const legacyResult = needing(legacySearchResultSchema, 'items').extend({
  items: z.array(legacyEvent),
});
export type LegacySearchResult = z.infer<typeof legacyResult>;
export const readLegacySearch = z.tuple([legacyResult]);
