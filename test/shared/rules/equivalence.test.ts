/** The index and the naive evaluator raise the same alerts, whatever the rules and the market do. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { anyMarket, anyRule } from '#test/support/rules/arbitraries.ts';
import { Market } from '#test/support/rules/market.ts';
import {
  type NaiveAlert,
  type NaiveRecovery,
  naiveAlerts,
  naiveRecoveries,
} from '#test/support/rules/naive.ts';

const RUNS = 600;

interface Asked {
  rule: Record<string, unknown>;
  /** How many snapshots there are before the rule is made. */
  after: number;
}

const asked: fc.Arbitrary<Asked[]> = fc.array(
  fc.record({ rule: anyRule, after: fc.nat({ max: 20 }) }),
  { minLength: 1, maxLength: 8, size: 'max' },
);

/** Where the market's snapshots are cut into catch-ups. */
const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 10 });

interface Played {
  alerts: (NaiveAlert & { id: string })[];
  recoveries: (NaiveRecovery & { id: string })[];
}

/** Plays rules and snapshots through the index; alerts by rule. Rules are made by `counted`'s sizes. */
async function play(
  rules: Asked[],
  batches: MarketSnapshot[][],
  counted = batches,
): Promise<Played[]> {
  const market = new Market();
  let seen = 0;
  const make = async () => {
    for (const [i, { rule, after }] of rules.entries()) {
      if (after !== seen) continue;
      await market.make(rule, (market.newest?.observedAt ?? 0) + 1, `trg_${i}_`);
    }
  };
  await make();
  for (const [i, batch] of batches.entries()) {
    await market.see(...batch);
    seen += counted[i]?.length ?? 0;
    await make();
  }
  return rules.map((_, i) => {
    const isOwn = ({ id }: { id: string }) => id.startsWith(`trg_${i}_`);
    return {
      alerts: market.alerts
        .filter(isOwn)
        .map(({ id, at, alreadyTrue }) => ({ id, at, alreadyTrue })),
      recoveries: market.recoveries
        .filter(isOwn)
        .map(({ id, at, firing }) => ({ id, at, alertAt: firing.backFrom?.observedAt ?? 0 })),
    };
  });
}

/** The same order for the same seed. */
function shuffle<T>(items: T[], seed: number): T[] {
  const keyed = items.map((item, i) => ({ item, key: ((i + 1) * 7919 * (seed + 13)) % 10_007 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function withoutIds({ alerts, recoveries }: Played) {
  return {
    alerts: alerts.map(({ id: _, ...alert }) => alert),
    recoveries: recoveries.map(({ id: _, ...recovery }) => recovery),
  };
}

function cut(snapshots: MarketSnapshot[], sizes: number[]): MarketSnapshot[][] {
  const batches: MarketSnapshot[][] = [];
  for (let start = 0, i = 0; start < snapshots.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    batches.push(snapshots.slice(start, start + size));
    start += size;
  }
  return batches;
}

/** Rules are made where a catch-up ends, or never. */
function alignTo(batches: MarketSnapshot[][], rules: Asked[]): Asked[] {
  const ends = [0];
  for (const batch of batches) ends.push((ends.at(-1) ?? 0) + batch.length);
  return rules.map(({ rule, after }) => ({ rule, after: ends[after % ends.length] ?? 0 }));
}

describe('matching through the index', () => {
  it('raises the alerts and recoveries that a naive evaluator raises', async () => {
    let rulesTried = 0;
    let alertsRaised = 0;
    let recoveriesTold = 0;
    await fc.assert(
      fc.asyncProperty(asked, anyMarket, cuts, async (rules, snapshots, sizes) => {
        const batches = cut(snapshots, sizes);
        const aligned = alignTo(batches, rules);
        const played = (await play(aligned, batches)).map(withoutIds);
        expect(played).toEqual(
          aligned.map(({ rule, after }) => ({
            alerts: naiveAlerts(rule, snapshots, after - 1),
            recoveries: naiveRecoveries(rule, snapshots, after - 1),
          })),
        );
        rulesTried += rules.length;
        alertsRaised += played.flatMap(({ alerts }) => alerts).length;
        recoveriesTold += played.flatMap(({ recoveries }) => recoveries).length;
      }),
      { numRuns: RUNS },
    );
    expect(rulesTried).toBeGreaterThan(2_000);
    expect(alertsRaised).toBeGreaterThan(2_000);
    expect(recoveriesTold).toBeGreaterThan(100);
  }, 120_000);

  it('raises the same alerts, under the same ids, when a series is evaluated twice', async () => {
    await fc.assert(
      fc.asyncProperty(asked, anyMarket, cuts, cuts, async (rules, snapshots, sizes, others) => {
        const atStart = rules.map(({ rule }) => ({ rule, after: 0 }));
        const once = await play(atStart, cut(snapshots, sizes));
        expect(await play(atStart, cut(snapshots, others))).toEqual(once);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('raises the same alerts when each catch-up is shuffled and has duplicates', async () => {
    await fc.assert(
      fc.asyncProperty(asked, anyMarket, cuts, fc.nat(), async (rules, snapshots, sizes, seed) => {
        const batches = cut(snapshots, sizes);
        const aligned = alignTo(batches, rules);
        const shuffled = batches.map((batch) => shuffle([...batch, ...batch.slice(0, 2)], seed));
        expect(await play(aligned, shuffled, batches)).toEqual(await play(aligned, batches));
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('is not moved by snapshots that come late', async () => {
    await fc.assert(
      fc.asyncProperty(asked, anyMarket, fc.nat({ max: 8 }), async (rules, snapshots, lateBy) => {
        const late = snapshots.flatMap((snapshot, i) => [
          [snapshot],
          snapshots.slice(Math.max(0, i - lateBy), i),
        ]);
        const atStart = rules.map(({ rule }) => ({ rule, after: 0 }));
        const ordered = snapshots.map((snapshot) => [snapshot]);
        expect(await play(atStart, late)).toEqual(await play(atStart, ordered));
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});
