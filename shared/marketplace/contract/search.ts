/**
 * Event search: the v1 item, page and query, and the legacy v0.3.1 body and result. Optional
 * metadata (a tour, a performer, coordinates) may be null or absent.
 */
import * as z from 'zod';
import {
  cursorSchema,
  eventIdSchema,
  PAGE_LIMITS,
  pageFields,
  pageLimitSchema,
  queryIntegerSchema,
} from './values.ts';

const text = z.string().nullish();
const number = z.number().nullish();
const integer = z.int().nullish();

export const eventSchema = z
  .looseObject({
    event_id: eventIdSchema.meta({ description: 'Service event id' }),
    event_name: z.string(),
    event_date: z.iso.date(),
    event_time: z
      .string()
      .regex(/^\d{2}:\d{2}$/)
      .nullish()
      .meta({ description: 'HH:MM at the venue' }),
    tm_event_id: text.meta({ description: 'Primary ticketing marketplace event id' }),
    days_on_service: z.int(),
    first_seen_date: z.iso.date(),
    venue_name: z.string(),
    venue_city: z.string(),
    venue_state: z.string(),
    venue_country_code: text,
    venue_country: text,
    venue_lat: number,
    venue_lng: number,
    venue_slug: text,
    venue_tm_id: text,
    std_event_id: integer.meta({ description: 'Standardized performer or tour' }),
    std_venue_id: integer,
    performer: text,
    event_type: text,
    tour_name: text,
  })
  .meta({ id: 'Event', description: 'Metadata of an event' });
/** An event of the catalog; the name avoids the DOM's `Event`. */
export type EventJson = z.infer<typeof eventSchema>;

/** The daily CSV's header row: the search item's fields in api.md's order (facts.md). */
export const DAILY_CSV_COLUMNS = Object.keys(eventSchema.shape);

export const searchPageSchema = z
  .looseObject({ data: z.array(eventSchema), ...pageFields })
  .meta({ id: 'SearchPage', description: 'Events that match' });
export type SearchPage = z.infer<typeof searchPageSchema>;

export const searchQuerySchema = z.object({
  event_name: z.string().optional().meta({ description: 'Partial, alternate names included' }),
  event_date: z.string().optional().meta({ description: 'Partial, e.g. 2026-05' }),
  venue_name: z.string().optional().meta({ description: 'Partial' }),
  venue_city: z.string().optional().meta({ description: 'Partial' }),
  venue_state: z.string().optional().meta({ description: 'Partial, two letters or full' }),
  country_code: z.string().optional().meta({ description: 'Exact' }),
  tm_event_id: z.string().optional().meta({ description: 'Exact' }),
  std_event_id: queryIntegerSchema.optional().meta({ description: 'All events of a performer' }),
  std_venue_id: queryIntegerSchema.optional().meta({ description: 'All events at a venue' }),
  venue_slug: z.string().optional().meta({ description: 'Exact' }),
  historical: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true includes past events; false when omitted' }),
  limit: pageLimitSchema(PAGE_LIMITS.search),
  starting_after: cursorSchema.optional(),
});

/** Body of POST /v0.3.1/events/search; `historical: true` searches events before today. */
export const legacySearchBodySchema = z
  .looseObject({
    event_name: z.string().optional(),
    event_date: z.string().optional(),
    venue_name: z.string().optional(),
    venue_city: z.string().optional(),
    venue_state: z.string().optional(),
    historical: z.boolean().optional(),
  })
  .meta({ id: 'LegacySearchBody', description: 'Case-insensitive partial matches' });
export type LegacySearchBody = z.infer<typeof legacySearchBodySchema>;

const legacyEventSchema = z.looseObject({
  event_id: eventIdSchema,
  event_name: z.string(),
  event_date: z.string(),
  venue_name: z.string(),
  venue_city: z.string(),
  venue_state: z.string(),
});

/** The single object inside the array that POST /v0.3.1/events/search answers. */
export const legacySearchResultSchema = z
  .looseObject({
    result_total: z.int().min(0),
    items: z.array(legacyEventSchema),
    errors: z.boolean(),
  })
  .meta({ id: 'LegacySearchResult', description: 'Result of the v0.3.1 search' });
export type LegacySearchResultJson = z.infer<typeof legacySearchResultSchema>;

export const legacySearchAnswerSchema = z.tuple([legacySearchResultSchema]);
