/**
 * The small values shared by all shapes of the data service, and the bounds of its requests.
 * Converts nothing: a string is never read as a number.
 */
import * as z from 'zod';

/** The two observed marketplaces. `sh` is the default and primary one. */
export const marketplaceSourceSchema = z
  .enum(['sh', 'vs'])
  .meta({ description: 'Marketplace on which something was observed' });
export type MarketplaceSource = z.infer<typeof marketplaceSourceSchema>;

/** The `source` query parameter of the sales endpoints. */
export const sourceFilterSchema = z
  .enum(['sh', 'vs', 'all'])
  .meta({ description: 'Which rows to return; sh when omitted' });
export type SourceFilter = z.infer<typeof sourceFilterSchema>;

/** Page sizes per cursor endpoint (api.md, Limits). */
export const PAGE_LIMITS = {
  sales: { default: 100, max: 200 },
  listings: { default: 500, max: 1000 },
  stats: { default: 100, max: 200 },
  search: { default: 100, max: 200 },
} as const;

/** Other bounds of api.md, Limits. */
export const BATCH_MAX_EVENTS = 100;
export const CURSOR_LIFETIME_SECONDS = 3600;
export const API_KEY_LENGTH = 64;
export const DAILY_CSV_MAX_AGE_DAYS = 30;

/** The service limits the requests of each bucket by itself. */
export const RATE_LIMIT_BUCKETS = [
  'account',
  'usage',
  'events_search',
  'salesdata',
  'sales',
  'sales_batch',
  'listings',
  'events_stats',
  'daily_csv',
] as const;
export type RateLimitBucket = (typeof RATE_LIMIT_BUCKETS)[number];

/** ISO 8601 instant with a time zone (`Z` or an offset); refused without one. */
export const instantSchema = z.iso.datetime({ offset: true });

/** Unix seconds, UTC (facts.md). */
export const unixSecondsSchema = z.int();

/** Any event id, as the service prints it in a body. */
export const eventIdSchema = z.int();

/** An event id in a path: the routes match integers only. */
export const pathEventIdSchema = z.string().regex(/^\d{1,16}$/);

/** The cursor from `next_cursor`; opaque, returned unchanged. */
export const cursorSchema = z.string().min(1);

/** `limit` of a query string, read as an integer within 1..max. */
export function pageLimitSchema(bounds: { default: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,6}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(1).max(bounds.max))
    .optional()
    .meta({
      description: `Page size, 1 to ${bounds.max}; ${bounds.default} when omitted`,
      type: 'integer',
      minimum: 1,
      maximum: bounds.max,
      default: bounds.default,
    });
}

/** An integer id of a query string; 15 digits are safe in every language's numbers. */
export const queryIntegerSchema = z
  .string()
  .regex(/^\d{1,15}$/, 'must be an integer from 0 to 999999999999999')
  .transform(Number)
  .pipe(z.int())
  .meta({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });

/** `id_type` has one allowed value; without `id_type`, the path id is a service event id. */
export const idTypeSchema = z
  .literal('marketplace')
  .meta({ description: 'Read the path id as a marketplace event id' });

/** The pagination fields of every v1 cursor endpoint (api.md, Common pagination rules 1). */
export const pageFields = {
  has_more: z.boolean(),
  next_cursor: cursorSchema.nullable().meta({ description: 'null on the last page' }),
};
