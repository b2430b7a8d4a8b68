// What the contract leaves open about billing, as switches. Each is set to the costlier reading until
// the operator knows better; nothing else in the code decides on them.
import * as z from 'zod';

const answer = z.enum(['yes', 'no']).default('yes');

/** The environment variables of the switches; a function puts them into its own schema. */
export const assumptionVariables = {
  /** Does the flat plan charge a poll that finds nothing new? (api.md says "per request".) */
  FLAT_PLAN_CHARGES_FREE_POLLS: answer,
  /** Is a stats query with a start date charged when it matches nothing, although there is news? */
  DATED_STATS_WITHOUT_MATCH_CHARGED: answer,
};

export interface BillingAssumptions {
  flatPlanChargesFreePolls: boolean;
  datedStatsWithoutMatchCharged: boolean;
}

/** The costlier reading of everything. */
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

/** Whether a poll that finds nothing costs nothing under the plan. */
export function isFreeWhenQuiet(
  plan: string | undefined,
  { flatPlanChargesFreePolls }: BillingAssumptions,
): boolean {
  return plan !== 'flat' || !flatPlanChargesFreePolls;
}

export interface EmptyAnswer {
  /** The query asked only for what is after a stored snapshot. */
  isDated: boolean;
  /** The service has snapshots of the event. */
  hasSnapshots: boolean;
  /** This feed has cost a pull before, as far as our ledger knows. */
  wasPaidBefore: boolean;
}

/**
 * What a stats answer without a row cost. api.md makes a repeat without news free; two readings of
 * it are dearer: a flat plan that charges requests, and a first request of an account whose dates
 * leave out everything there is (the stored snapshots were bought with another key).
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
