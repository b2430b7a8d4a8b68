// The environment variables that several polling functions share, as parts of a function's schema.
import * as z from 'zod';
import type { Caps } from './budget.ts';

const pulls = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of pulls')
  .transform(Number);

/** The caps of the deployment; the API can lower them, not raise them. */
export const capVariables = {
  /** Pulls in a UTC day. */
  DAILY_PULL_CAP: pulls,
  /** Pulls in a billing period of the marketplace. */
  MONTHLY_PULL_CAP: pulls,
};

/** The caps from a parsed environment. */
export function readPullCaps(config: z.infer<z.ZodObject<typeof capVariables>>): Caps {
  return { daily: config.DAILY_PULL_CAP, monthly: config.MONTHLY_PULL_CAP };
}
