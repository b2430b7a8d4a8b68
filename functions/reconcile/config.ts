// The environment variables of reconcile.
import * as z from 'zod';
import { httpAddress, required } from '#shared/lambda/config.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { capVariables, readPullCaps } from '#shared/polling/polling-config.ts';
import { retentionVariables } from '#shared/retention.ts';
import { syntheticVariables } from '#shared/watchlist/synthetic-watch.ts';

export const reconcileConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  EVALUATE_QUEUE_URL: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
  JOBS_QUEUE_URL: required,
  MARKETPLACE_URL: httpAddress,
  MARKETPLACE_KEY_SECRET: required,
  OPERATOR_EMAIL: z.string().default(''),
  OPERATOR_WEBHOOK_SECRET: required,
  ...retentionVariables,
  ...capVariables,
  ...assumptionVariables,
  ...syntheticVariables,
});

/** The settings of reconcile, from its environment. */
export function reconcileSettings(config: z.infer<typeof reconcileConfigSchema>) {
  return {
    caps: readPullCaps(config),
    assumptions: readAssumptions(config),
    syntheticEvent: config.SYNTHETIC_EVENT,
  };
}
