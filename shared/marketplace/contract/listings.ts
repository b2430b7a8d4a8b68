/**
 * Listing rows of v1 and v0.1.1 and their envelopes. `has_refreshed` is only described here;
 * charges are computed elsewhere.
 */
import * as z from 'zod';
import {
  cursorSchema,
  eventIdSchema,
  idTypeSchema,
  instantSchema,
  PAGE_LIMITS,
  pageFields,
  pageLimitSchema,
  unixSecondsSchema,
} from './values.ts';

const seatFields = {
  listing_id: z.int().meta({ description: 'May repeat when the marketplace reuses it' }),
  zone: z.string(),
  section: z.string(),
  row: z.string(),
  quantity_start: z.int(),
  quantity: z.int(),
  price: z.number(),
};

export const listingSchema = z
  .looseObject({
    ...seatFields,
    active: z.boolean().meta({ description: 'Currently listed, or delisted' }),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'Listing', description: 'A listing of the sh marketplace' });
export type ListingJson = z.infer<typeof listingSchema>;

/** Any page of GET /v1/events/{event_id}/listings. */
export const listingsPageSchema = z
  .looseObject({
    event_id: eventIdSchema,
    service_event_id: eventIdSchema,
    sh_event_id: eventIdSchema,
    vs_event_id: eventIdSchema.nullable(),
    data: z.array(listingSchema),
    ...pageFields,
    total_count: z.int().min(0).optional().meta({ description: 'First page only' }),
    has_refreshed: z
      .boolean()
      .optional()
      .meta({ description: 'First page only; whether the call was charged' }),
    last_refreshed_at: instantSchema
      .nullable()
      .optional()
      .meta({ description: 'First page only; null before the first refresh' }),
  })
  .meta({ id: 'ListingsPage', description: 'Listings by listing_id, then id' });
export type ListingsPage = z.infer<typeof listingsPageSchema>;

/** The first page always has the extra fields. */
export const listingsFirstPageSchema = listingsPageSchema.extend({
  total_count: z.int().min(0),
  has_refreshed: z.boolean(),
  last_refreshed_at: instantSchema.nullable(),
});

/** `active` is exact lowercase; an empty value means both, like an omitted one. */
export const listingsQuerySchema = z.object({
  id_type: idTypeSchema.optional(),
  active: z.enum(['true', 'false', '']).optional(),
  limit: pageLimitSchema(PAGE_LIMITS.listings),
  starting_after: cursorSchema.optional(),
});

export const legacyListingSchema = z
  .looseObject({ ...seatFields, active: z.union([z.literal(0), z.literal(1)]) })
  .meta({ id: 'LegacyListing', description: 'A listing as v0.1.1 returns it' });
export type LegacyListing = z.infer<typeof legacyListingSchema>;

/** Answer of GET /v0.1.1/listings/get (and v0.1). */
export const legacyListingsSchema = z
  .looseObject({
    has_refreshed: z
      .union([z.literal(0), z.literal(1)])
      .meta({ description: '1 when the call was charged' }),
    last_refresh_timestamp: unixSecondsSchema
      .nullable()
      .meta({ description: 'Unix seconds, UTC; null before the first refresh' }),
    listings: z.array(legacyListingSchema),
  })
  .meta({ id: 'LegacyListings', description: 'All listings of an event, without pagination' });
export type LegacyListingsJson = z.infer<typeof legacyListingsSchema>;
