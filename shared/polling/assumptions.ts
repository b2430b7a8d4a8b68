// Switches for billing rules that the contract leaves open. Each defaults to the costlier rule until the
// operator knows better; no other code decides these questions.
import * as z from 'zod';

const answer = z.enum(['yes', 'no']).default('yes');

/** The environment variables of the switches, as parts of a function's schema. */
export const assumptionVariables = {
  /** Does the flat plan charge a poll that finds no news? (api.md says "per request".) */
  FLAT_PLAN_CHARGES_FREE_POLLS: answer,
  /** Is a stats query with a start date charged if it matches nothing, although there is news? */
  DATED_STATS_WITHOUT_MATCH_CHARGED: answer,
};

export interface BillingAssumptions {
  flatPlanChargesFreePolls: boolean;
  datedStatsWithoutMatchCharged: boolean;
}

/** The costlier rule for each question. */
export const costliest: BillingAssumptions = {
  flatPlanChargesFreePolls: true,
  datedStatsWithoutMatchCharged: true,
};

export function readAssumptions(
  config: z.infer<z.ZodObject<typeof assumptionVariables>>,
): BillingAssumptions {
  return {
    flatPlanChargesFreePolls: config.FLAT_PLAN_CHARGES_FREE_POLLS === 'yes',
    datedStatsWithoutMatchCharged: config.DATED_STATS_WITHOUT_MATCH_CHARGED === 'yes',
  };
}

/** The price of one request on the flat-rate plan, in currency units (api.md, What the service does). */
export const flatPricePerPull = 0.015;

/** Whether a poll that finds no news is free under the plan. */
export function isFreeWhenQuiet(
  plan: string | undefined,
  { flatPlanChargesFreePolls }: BillingAssumptions,
): boolean {
  return plan !== 'flat' || !flatPlanChargesFreePolls;
}

export interface EmptyAnswer {
  /** The query asked only for snapshots after a stored one. */
  isDated: boolean;
  /** The service has snapshots of the event. */
  hasSnapshots: boolean;
  /** Our ledger has a pull for this feed. */
  wasPaidBefore: boolean;
}

/**
 * The cost of a stats answer without a row. api.md makes a repeat without news free. Two cases may cost a
 * pull: a flat plan that charges requests, and an account's first request whose start date excludes every
 * snapshot (the stored snapshots were bought with another key).
 */
export function pullsOfEmptyStats(
  answer: EmptyAnswer,
  plan: string | undefined,
  assumptions: BillingAssumptions,
): { pulls: number; reason: 'nothing_new' | 'flat_request' | 'unmatched_dates' } {
  if (!isFreeWhenQuiet(plan, assumptions)) return { pulls: 1, reason: 'flat_request' };
  const isUnmatched = answer.isDated && answer.hasSnapshots && !answer.wasPaidBefore;
  if (isUnmatched && assumptions.datedStatsWithoutMatchCharged) {
    return { pulls: 1, reason: 'unmatched_dates' };
  }
  return { pulls: 0, reason: 'nothing_new' };
}
