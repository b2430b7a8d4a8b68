// The deployment's answers to what the marketplace charges.
import { describe, expect, it } from 'vitest';
import { readAssumptions } from '#shared/polling/assumptions.ts';

describe('the billing assumptions', () => {
  it.each([
    ['yes', 'no', { flatPlanChargesFreePolls: true, datedStatsWithoutMatchCharged: false }],
    ['no', 'yes', { flatPlanChargesFreePolls: false, datedStatsWithoutMatchCharged: true }],
  ] as const)('are read from the configuration: %s, %s', (flat, dated, expected) => {
    const config = { FLAT_PLAN_CHARGES_FREE_POLLS: flat, DATED_STATS_WITHOUT_MATCH_CHARGED: dated };
    expect(readAssumptions(config)).toEqual(expected);
  });
});
