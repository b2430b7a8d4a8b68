/**
 * Stats snapshots and their pages. Price metrics may be null: without active listings there is no
 * price, and one missing price must not fail the whole walk.
 */
import * as z from 'zod';
import {
  cursorSchema,
  eventIdSchema,
  instantSchema,
  PAGE_LIMITS,
  pageFields,
  pageLimitSchema,
} from './values.ts';

const metricSchema = z.number().nullable();

const priceFields = {
  avg_price: metricSchema,
  median_price: metricSchema,
  get_in: metricSchema.meta({ description: 'Cheapest active listing' }),
  get_in_qty2plus: metricSchema.meta({ description: 'Cheapest with two seats or more' }),
};

export const zoneBreakdownSchema = z
  .looseObject({ zone_name: z.string(), ...priceFields })
  .meta({ id: 'ZoneBreakdown', description: 'Price metrics of one zone' });
export type ZoneBreakdown = z.infer<typeof zoneBreakdownSchema>;

export const statsSnapshotSchema = z
  .looseObject({
    timestamp: instantSchema,
    total_listings_all: z.int().min(0),
    total_listings_active: z.int().min(0),
    listing_fill_rate: metricSchema,
    ...priceFields,
    zones: z.array(zoneBreakdownSchema),
  })
  .meta({ id: 'StatsSnapshot', description: 'Price metrics of an event at one time' });
export type StatsSnapshotJson = z.infer<typeof statsSnapshotSchema>;

/** Any page of GET /v1/events/{event_id}/stats. */
export const statsPageSchema = z
  .looseObject({
    event_id: eventIdSchema,
    available_zones: z.array(z.string()).optional().meta({ description: 'First page only' }),
    total_count: z.int().min(0).optional().meta({ description: 'First page only' }),
    data: z.array(statsSnapshotSchema),
    ...pageFields,
  })
  .meta({ id: 'StatsPage', description: 'Snapshots; readers must not rely on their order' });
export type StatsPage = z.infer<typeof statsPageSchema>;

/** The first page always has the extra fields. */
export const statsFirstPageSchema = statsPageSchema.extend({
  available_zones: z.array(z.string()),
  total_count: z.int().min(0),
});

const dateOrDatetimeSchema = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, local: true })],
  {
    error: 'must be an ISO 8601 date or datetime, such as 2026-05-01 or 2026-05-01T19:30:00Z',
  },
);

/** `start_date` and `end_date` are exclusive; a datetime without a zone is UTC. */
export const statsQuerySchema = z.object({
  start_date: dateOrDatetimeSchema.optional().meta({
    description: 'Only snapshots after this ISO 8601 date or datetime; UTC where no zone is given',
  }),
  end_date: dateOrDatetimeSchema.optional().meta({
    description: 'Only snapshots before this ISO 8601 date or datetime; UTC where no zone is given',
  }),
  limit: pageLimitSchema(PAGE_LIMITS.stats),
  starting_after: cursorSchema.optional(),
});
