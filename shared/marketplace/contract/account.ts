/**
 * The account, its rate-limit catalog and the usage of the current billing cycle.
 */
import * as z from 'zod';
import { instantSchema, type RateLimitBucket } from './values.ts';

export const rateLimitSchema = z
  .looseObject({ limit: z.int(), window_seconds: z.int() })
  .meta({ id: 'RateLimit', description: 'Requests allowed per window' });
export type RateLimit = z.infer<typeof rateLimitSchema>;

export const rateLimitsSchema = z
  .looseObject({
    account: rateLimitSchema,
    usage: rateLimitSchema,
    events_search: rateLimitSchema,
    salesdata: rateLimitSchema,
    sales: rateLimitSchema,
    sales_batch: rateLimitSchema,
    listings: rateLimitSchema,
    events_stats: rateLimitSchema,
    daily_csv: rateLimitSchema,
  } satisfies Record<RateLimitBucket, typeof rateLimitSchema>)
  .meta({ id: 'RateLimits', description: 'The static rate-limit catalog' });

export type RateLimitsJson = z.infer<typeof rateLimitsSchema>;

export const planSchema = z
  .looseObject({
    id: z.string().meta({ description: 'tiered or flat; other values are possible' }),
    name: z.string(),
    status: z
      .string()
      .meta({ description: 'active, past_due or canceled; other values are possible' }),
    billing_period_start: instantSchema.nullable(),
    billing_period_end: instantSchema.nullable(),
    renews_at: instantSchema.nullable(),
  })
  .meta({ id: 'Plan', description: 'A plan of the account' });
export type Plan = z.infer<typeof planSchema>;

export const accountSchema = z
  .looseObject({
    user_id: z.int(),
    email: z.string(),
    company: z.string().nullish(),
    plans: z.array(planSchema),
    rate_limits: rateLimitsSchema,
  })
  .meta({ id: 'Account', description: 'The account behind the API key' });
export type AccountJson = z.infer<typeof accountSchema>;

export const usageTotalsSchema = z
  .looseObject({
    api_calls: z.int(),
    events_searched: z.int(),
    salesdata_pulls: z.int(),
    listings_pulls: z.int(),
    stats_pulls: z.int(),
    daily_csv_downloads: z.int(),
  })
  .meta({ id: 'UsageTotals', description: 'Counts since period_start' });

export const usageSchema = z
  .looseObject({
    period_start: instantSchema,
    period_end: instantSchema,
    totals: usageTotalsSchema,
    by_endpoint: z.array(z.looseObject({ endpoint: z.string(), count: z.int() })),
  })
  .meta({ id: 'Usage', description: 'Usage of the current billing cycle' });
export type UsageJson = z.infer<typeof usageSchema>;
