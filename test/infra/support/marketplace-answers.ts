/** The marketplace's answer to `GET /v1/account`, for the trial of a key. */
import { RATE_LIMIT_BUCKETS } from '#shared/marketplace/contract/values.ts';

export const marketplaceKey = 'k'.repeat(64);

export const accountBody = {
  user_id: 1,
  email: 'ops@getin.example',
  company: 'Getin',
  plans: [],
  rate_limits: Object.fromEntries(
    RATE_LIMIT_BUCKETS.map((bucket) => [bucket, { limit: 100, window_seconds: 60 }]),
  ),
};
