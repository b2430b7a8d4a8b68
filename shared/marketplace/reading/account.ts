/** How the client reads the account and its usage. */
import * as z from 'zod';
import {
  accountSchema,
  planSchema,
  rateLimitSchema,
  usageSchema,
  usageTotalsSchema,
} from '../contract/account.ts';
import { needing, spare } from './needed-fields.ts';

/** Buckets by name: a renamed or new bucket does not fail the account. */
const rateLimits = z.record(z.string(), spare(rateLimitSchema));
export type RateLimits = z.infer<typeof rateLimits>;
export const readAccount = needing(accountSchema, 'plans', 'rate_limits').extend({
  plans: z.array(needing(planSchema, 'id', 'status')),
  rate_limits: rateLimits,
});
export type Account = z.infer<typeof readAccount>;

export const readUsage = needing(usageSchema, 'period_start', 'period_end', 'totals').extend({
  totals: needing(usageTotalsSchema, 'salesdata_pulls', 'listings_pulls', 'stats_pulls'),
});
export type Usage = z.infer<typeof readUsage>;
