// The environment variables of jobs.
import * as z from 'zod';
import { ownerWatchQuota } from '#functions/api/quotas.ts';
import { httpAddress, required } from '#shared/lambda/config.ts';
import { assumptionVariables } from '#shared/polling/assumptions.ts';
import { capVariables } from '#shared/polling/polling-config.ts';
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
