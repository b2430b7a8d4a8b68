// The API's environment variables, and the values derived from them.
import * as z from 'zod';
import { buyLinkVariables } from '#shared/alerts/ticket-link.ts';
import { httpAddress, required } from '#shared/lambda/config.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { capVariables, readPullCaps } from '#shared/polling/polling-config.ts';
import { retentionVariables, versionVariables } from '#shared/retention.ts';
import { ownerWatchQuota, quotasFor } from './quotas.ts';

export const apiConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EVALUATE_QUEUE_URL: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
  JOBS_QUEUE_URL: required,
  MARKETPLACE_URL: httpAddress,
  MARKETPLACE_KEY_SECRET: required,
  ADMIN_KEY_SECRET: required,
  LINK_SECRET: required,
  TELEGRAM_BOT_SECRET: required,
  TELEGRAM_API_URL: httpAddress,
  PUBLIC_URL: httpAddress,
  LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']),
  OWNER_WATCH_QUOTA: ownerWatchQuota,
  ...retentionVariables,
  ...versionVariables,
  ...buyLinkVariables,
  ...capVariables,
  ...assumptionVariables,
});

/** The settings of the API, from its environment. */
export function apiSettings(config: z.infer<typeof apiConfigSchema>) {
  return {
    publicUrl: config.PUBLIC_URL,
    buyLinks: config.BUY_LINK_TEMPLATES,
    pullCaps: readPullCaps(config),
    quotas: quotasFor(config.OWNER_WATCH_QUOTA),
    assumptions: readAssumptions(config),
    outbound: { loopback: config.LOOPBACK_WEBHOOKS },
  };
}
