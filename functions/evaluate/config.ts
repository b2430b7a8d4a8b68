// The environment variables of evaluate.
import * as z from 'zod';
import { required } from '#shared/lambda/config.ts';
import { retentionVariables } from '#shared/retention.ts';

export const evaluateConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EVALUATE_QUEUE_URL: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
  ...retentionVariables,
});
