// A replay of looks gives each trigger one decision for each snapshot, fires where live matching fires, and
// believes the stored alerts.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFires } from '#shared/backtest/find-fires.ts';
import { type Decided, replayLooks, type StoredFiring } from '#shared/backtest/replay-looks.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { inTimeOrder } from '#shared/rules/match.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { createTrigger, siblingOf, type Trigger } from '#shared/rules/trigger.ts';
import { anyMarket, anyRule } from '#test/support/rules/arbitraries.ts';
import { ruleOf } from '#test/support/rules/market.ts';

const market = anyMarket.filter((snapshots) => snapshots.length > 0);

/** The triggers of rules, new at a time, with the ids that a backtest gives. */
function triggersOf(rules: readonly Rule[], createdAt: number): Trigger[] {
  return rules.flatMap((rule, position) => {
    const ruleId = String(position);
    const specs = compileRule(rule);
    const ids = specs.map((_, number) => `${ruleId}/${number}`);
    return specs.map((spec, number) => {
      const triggerId = ids[number] ?? '';
      const identity = { watchId: 'w', ownerId: 'o', eventId: 7, ruleId, triggerId };
      return createTrigger(spec, { ...identity, ...siblingOf(ids, triggerId) }, createdAt);
    });
  });
}

async function replayed(
  rules: readonly Rule[],
  snapshots: MarketSnapshot[],
  stored: readonly StoredFiring[],
) {
  const decided: (Decided & { at: number })[] = [];
  await replayLooks(
    {
      ...{ triggers: triggersOf(rules, snapshots[0]?.observedAt ?? 0), snapshots, stored },
      ...{ history: new LoadedHistory(), eventStartsAt: null },
      evaluatedThrough: Number.POSITIVE_INFINITY,
    },
    (look) => {
      const at = look.snapshot.observedAt;
      decided.push(...[...look.decided.values()].map((each) => ({ ...each, at })));
    },
  );
  return decided;
}

/** The alerts of live matching. */
async function liveFirings(rules: readonly Rule[], snapshots: MarketSnapshot[]) {
  const found = await findFires({ eventId: 7, snapshots, eventStartsAt: null, rules });
  return found.flatMap(({ fires }) => fires.map(({ firing }) => firing));
}

const placeOf = ({ triggerId, at }: { triggerId: string; at: number }) => `${triggerId}@${at}`;

describe('replayLooks', () => {
  it('agrees with live matching on every alert, with one decision a trigger and look', async () => {
    let alerts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRule, { minLength: 1, maxLength: 4 }),
        market,
        async (wanted, found) => {
          const rules = wanted.map(ruleOf);
          const snapshots = inTimeOrder(found);
          const firings = await liveFirings(rules, snapshots);
          const decided = await replayed(rules, snapshots, firings);
          expect(decided.filter(({ outcome }) => outcome === 'missing')).toEqual([]);
          const told = decided.filter(({ outcome }) => outcome === 'alerted');
          expect(told.filter(({ decision }) => decision.kind !== 'fire')).toEqual([]);
          const places = told.map(({ trigger, at }) =>
            placeOf({ triggerId: trigger.triggerId, at }),
          );
          expect(places.sort()).toEqual(
            firings
              .map(({ triggerId, observedAt }) => placeOf({ triggerId, at: observedAt }))
              .sort(),
          );
          const all = decided.map(({ trigger: { triggerId }, at }) => placeOf({ triggerId, at }));
          expect(new Set(all).size).toBe(all.length);
          alerts += places.length;
        },
      ),
      { numRuns: 150 },
    );
    expect(alerts).toBeGreaterThan(100);
  }, 60_000);

  it('believes the stored alerts, whatever it would have decided', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRule,
        market,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        async (wanted, found, picks) => {
          const rules = [ruleOf(wanted)];
          const snapshots = inTimeOrder(found);
          const stored = snapshots
            .filter((_, index) => picks[index % picks.length])
            .map(({ observedAt }) => ({
              ...{ triggerId: '0/0', observedAt, value: 7_000, base: 7_000, baseline: 9_000 },
            }));
          const decided = await replayed(rules, snapshots, stored);
          const main = decided.filter(({ trigger }) => trigger.triggerId === '0/0');
          // A trigger that has ended decides nothing more.
          const lastAt = main.at(-1)?.at ?? 0;
          expect(main.filter(({ outcome }) => outcome === 'alerted').map(({ at }) => at)).toEqual(
            stored.filter(({ observedAt }) => observedAt <= lastAt).map((each) => each.observedAt),
          );
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);
});
