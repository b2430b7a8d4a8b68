// A backtest fires where live matching fires, whatever the rules and the market do.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCurve } from '#shared/backtest/curve.ts';
import { findFires, type RuleAlerts } from '#shared/backtest/find-fires.ts';
import { inTimeOrder } from '#shared/rules/match.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { anyMarket, anyRule } from '#test/support/rules/arbitraries.ts';
import { ruleOf } from '#test/support/rules/market.ts';
import { naiveAlerts, naiveRecoveries } from '#test/support/rules/naive.ts';

const market = anyMarket.filter((snapshots) => snapshots.length > 0);

function inputOf(snapshots: MarketSnapshot[]) {
  return { eventId: 7, snapshots: inTimeOrder(snapshots), eventStartsAt: null };
}

function told({ fires, recoveries }: RuleAlerts) {
  return {
    alerts: fires.map(({ firing: { observedAt: at }, alreadyTrue }) => ({ at, alreadyTrue })),
    recoveries: recoveries.map(({ firing: { observedAt: at, backFrom } }) => ({
      ...{ at, alertAt: backFrom?.observedAt },
    })),
  };
}

describe('findFires', () => {
  it('fires and recovers where a naive evaluator does, many rules at once as each alone', async () => {
    let fired = 0;
    let recovered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRule, { minLength: 1, maxLength: 6 }),
        market,
        async (wanted, snapshots) => {
          const rules = wanted.map(ruleOf);
          const found = (await findFires({ ...inputOf(snapshots), rules })).map(told);
          expect(found).toEqual(
            wanted.map((rule) => ({
              alerts: naiveAlerts(rule, snapshots, 0),
              recoveries: naiveRecoveries(rule, snapshots, 0),
            })),
          );
          fired += found.flatMap(({ alerts }) => alerts).length;
          recovered += found.flatMap(({ recoveries }) => recoveries).length;
        },
      ),
      { numRuns: 300 },
    );
    expect(fired).toBeGreaterThan(500);
    expect(recovered).toBeGreaterThan(30);
  }, 60_000);

  it('finds nothing without a snapshot', async () => {
    const rules = [ruleOf({ type: 'level', metric: 'get_in', at_or_below: 80 })];
    expect(await findFires({ ...inputOf([]), rules })).toEqual([{ fires: [], recoveries: [] }]);
  });
});

describe('findCurve', () => {
  it('counts at each amount what the rule with that amount alone fires', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 }),
        market,
        async (amounts, snapshots) => {
          const wanted = (amount: number) => ({
            ...{ type: 'level', metric: 'get_in', at_or_below: amount },
          });
          const variants = amounts.map((amount) => ({ amount, rule: ruleOf(wanted(amount)) }));
          const [first] = variants;
          if (!first) throw new Error('no amount');
          const covered = null;
          const { points } = await findCurve(inputOf(snapshots), { ...first, variants, covered });
          expect(
            points.map(({ amount, count, alreadyTrue }) => ({ amount, count, alreadyTrue })),
          ).toEqual(
            amounts.map((amount) => {
              const alerts = naiveAlerts(wanted(amount), snapshots, 0);
              const count = alerts.filter((alert) => !alert.alreadyTrue).length;
              return { amount, count, alreadyTrue: count < alerts.length };
            }),
          );
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);
});
