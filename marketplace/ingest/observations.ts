/**
 * The schemas of raw observations from the simulator, a replay, a CSV import or the operator's
 * route. Derives nothing.
 */

import * as z from 'zod';
import { marketplaceSourceSchema } from '#shared/marketplace/contract.ts';

const text = z.string().max(300);
const label = z.string().max(120);
/** The marketplace chooses the names of zones, and they can be long. */
const zoneName = z.string().max(10_000);
const instant = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 with its zone written out; now when omitted' });

/** Prices are currency units with at most two decimals. */
const price = z
  .number()
  .min(0)
  .max(10_000_000)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    message: 'at most two decimals',
  });

export const venueObservationSchema = z.object({
  std_venue_id: z.int().positive(),
  venue_name: text.min(1),
  venue_city: text,
  venue_state: text.meta({ description: 'Two-letter code' }),
  venue_state_name: text.default('').meta({ description: 'Full name of the state' }),
  venue_country_code: text.default('US'),
  venue_country: text.default('United States'),
  venue_lat: z.number().min(-90).max(90).default(0),
  venue_lng: z.number().min(-180).max(180).default(0),
  venue_slug: text.default(''),
  venue_tm_id: text.default(''),
});

const eventFields = z.object({
  event_id: z.int().positive().meta({ description: 'Service event id' }),
  sh_event_id: z.int().positive(),
  vs_event_id: z.int().positive().nullable().default(null),
  event_name: text.min(1),
  alternate_names: z.array(text).max(20).default([]),
  event_date: z.iso.date(),
  event_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
    .default('19:30'),
  tm_event_id: text.default(''),
  first_seen_date: z.iso.date().optional().meta({ description: 'Today when omitted' }),
  std_event_id: z.int().min(0).default(0),
  performer: text.default(''),
  event_type: text.default(''),
  tour_name: text.default(''),
  raw_venue_name: text.optional().meta({ description: 'As the marketplace spells it' }),
  raw_venue_state: text.optional(),
  raw_venue_city: text.optional(),
  venue: venueObservationSchema.nullish().meta({
    description: 'Absent while the venue is not normalized; raw_venue_name then has its name',
  }),
});
export const eventObservationSchema = eventFields.refine(
  (event) => Boolean(event.venue ?? event.raw_venue_name),
  { path: ['venue'], message: 'give a venue, or raw_venue_name where it is not normalized' },
);
export type EventObservation = z.input<typeof eventObservationSchema>;

const listingObservationSchema = z.object({
  listing_id: z.union([z.int().positive(), label.min(1)]),
  zone: zoneName.default(''),
  section: label.default(''),
  row: label.default(''),
  quantity: z.int().min(1).max(10_000),
  price,
  all_in_price: price.nullable().default(null),
});
export type ListingObservation = z.input<typeof listingObservationSchema>;

export const listingSetSchema = z
  .object({
    event_id: z.int().positive(),
    source: marketplaceSourceSchema.default('sh'),
    observed_at: instant.optional(),
    listings: z.array(listingObservationSchema).max(200_000),
  })
  .superRefine((set, context) => {
    if (set.source !== 'sh') return;
    const index = set.listings.findIndex((listing) => typeof listing.listing_id !== 'number');
    if (index < 0) return;
    context.addIssue({
      code: 'custom',
      path: ['listings', index, 'listing_id'],
      message: 'ids of sh listings are integers',
    });
  })
  .meta({
    id: 'ListingSet',
    description: 'Everything listed for an event on one marketplace at one refresh',
  });
export type ListingSet = z.input<typeof listingSetSchema>;

/** A sale reported by `sh`; missing fields are filled in from the stored listing of that id. */
export const saleObservationSchema = z.object({
  event_id: z.int().positive(),
  listing_id: z.int().positive(),
  sold_at: instant.optional(),
  quantity: z.int().min(1).max(10_000).optional(),
  price: price.optional(),
  zone: label.optional(),
  section: label.optional(),
  row: label.optional(),
});
export type SaleObservation = z.input<typeof saleObservationSchema>;

/** One delivery of observations: catalog first, then sets, then sales. */
export const observationsSchema = z
  .object({
    events: z.array(eventObservationSchema).max(10_000).default([]),
    listing_sets: z.array(listingSetSchema).max(10_000).default([]),
    sales: z.array(saleObservationSchema).max(100_000).default([]),
  })
  .meta({ id: 'Observations', description: 'Raw observations for ingest' });
export type Observations = z.input<typeof observationsSchema>;
