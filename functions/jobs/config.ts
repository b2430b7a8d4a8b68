// The environment variables of jobs.
import * as z from 'zod';
import { ownerWatchQuota, quotasFor } from '#functions/api/quotas.ts';
import { httpAddress, required } from '#shared/lambda/config.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { capVariables, readPullCaps } from '#shared/polling/polling-config.ts';
import { versionVariables } from '#shared/retention.ts';

export const jobsConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EVALUATE_QUEUE_URL: required,
  JOBS_QUEUE_URL: required,
  MARKETPLACE_URL: httpAddress,
  MARKETPLACE_KEY_SECRET: required,
  OWNER_WATCH_QUOTA: ownerWatchQuota,
  ...versionVariables,
  ...capVariables,
  ...assumptionVariables,
});

/** The settings of jobs, from their environment. */
export function jobSettings(config: z.infer<typeof jobsConfigSchema>) {
  return {
    pullCaps: readPullCaps(config),
    quotas: quotasFor(config.OWNER_WATCH_QUOTA),
    assumptions: readAssumptions(config),
  };
}
