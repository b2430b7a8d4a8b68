/** How the client reads listings of v1 and v0.1.1. */
import * as z from 'zod';
import {
  legacyListingSchema,
  legacyListingsSchema,
  listingSchema,
  listingsPageSchema,
} from '../contract/listings.ts';
import { needing } from './needed-fields.ts';
import { pageNeeds, rowByRow } from './readable-rows.ts';

const seats = ['listing_id', 'zone', 'section', 'row', 'quantity', 'price'] as const;
const listing = needing(listingSchema, ...seats);
export type Listing = z.infer<typeof listing>;

const listingsPage = needing(listingsPageSchema, ...pageNeeds).extend({ data: z.array(listing) });
export const readListingsPage = rowByRow(listingsPage);

/** The refresh time tells whether the data is new, so a first page must have it. */
export const readFirstListingsPage = rowByRow(
  listingsPage.extend({ last_refreshed_at: listingsPageSchema.shape.last_refreshed_at.unwrap() }),
);

export const readLegacyListings = needing(legacyListingsSchema, 'listings').extend({
  listings: z.array(needing(legacyListingSchema, ...seats)),
});
export type LegacyListings = z.infer<typeof readLegacyListings>;
