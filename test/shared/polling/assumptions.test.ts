// The deployment's answers to what the marketplace charges.
import { describe, expect, it } from 'vitest';
import { costliest, pullsOfEmptyStats, readAssumptions } from '#shared/polling/assumptions.ts';

describe('the billing assumptions', () => {
  it.each([
    ['yes', 'no', { flatPlanChargesFreePolls: true, datedStatsWithoutMatchCharged: false }],
    ['no', 'yes', { flatPlanChargesFreePolls: false, datedStatsWithoutMatchCharged: true }],
  ] as const)('are read from the configuration: %s, %s', (flat, dated, expected) => {
    const config = { FLAT_PLAN_CHARGES_FREE_POLLS: flat, DATED_STATS_WITHOUT_MATCH_CHARGED: dated };
    expect(readAssumptions(config)).toEqual(expected);
  });
});

describe('an answer without a row', () => {
  const cheapest = { flatPlanChargesFreePolls: false, datedStatsWithoutMatchCharged: false };
  const unmatched = { isDated: true, hasSnapshots: true, wasPaidBefore: false };
  const free = { pulls: 0, reason: 'nothing_new' };
  it.each([
    [
      'a flat plan that charges requests',
      unmatched,
      'flat',
      costliest,
      { pulls: 1, reason: 'flat_request' },
    ],
    ['a flat plan that does not', unmatched, 'flat', cheapest, free],
    [
      'dates before all snapshots',
      unmatched,
      'pro',
      costliest,
      { pulls: 1, reason: 'unmatched_dates' },
    ],
    ['dates that are not charged', unmatched, 'pro', cheapest, free],
    ['an undated question', { ...unmatched, isDated: false }, 'pro', costliest, free],
    ['an event without snapshots', { ...unmatched, hasSnapshots: false }, 'pro', costliest, free],
    ['snapshots bought before', { ...unmatched, wasPaidBefore: true }, 'pro', costliest, free],
  ])('costs, for %s, what the deployment assumes', (_title, answer, plan, assumed, expected) => {
    expect(pullsOfEmptyStats(answer, plan, assumed)).toEqual(expected);
  });
});
