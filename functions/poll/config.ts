// The environment variables of poll.
import * as z from 'zod';
import { httpAddress, required } from '#shared/lambda/config.ts';
import { assumptionVariables } from '#shared/polling/assumptions.ts';

export const pollConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EVALUATE_QUEUE_URL: required,
  MARKETPLACE_URL: httpAddress,
  MARKETPLACE_KEY_SECRET: required,
  ...assumptionVariables,
});
