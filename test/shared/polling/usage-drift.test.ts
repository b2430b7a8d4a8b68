// The cost of calls whose answer was lost, from the marketplace's count.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mostPullsOf, type Pull, pullOf } from '#shared/polling/pull.ts';
import { costOfLostCalls } from '#shared/polling/usage-drift.ts';

const lost = (claim: string, pulls: number, pulledAt: number): Pull =>
  pullOf({
    ...{ claim, eventId: 7, kind: 'stats', pulls, reason: 'answer_lost', state: 'unsettled' },
    ...{ pulledAt, watches: 1 },
  });

it('gives a call that was sent twice both pulls when the marketplace charged both', () => {
  const rows = [lost('a', 2, 0)];
  expect(costOfLostCalls(5, { settled: 3, rows })).toEqual(new Map([['stats#7#a', 2]]));
});

it('charges the oldest calls first, and each once before any twice', () => {
  const rows = [lost('c', 1, 3), lost('b', 3, 2), lost('a', 1, 1)];
  const costs = (usage: number) => [...costOfLostCalls(usage, { settled: 0, rows }).values()];
  expect([1, 2, 3, 4, 9].map(costs)).toEqual([
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 1],
    [1, 2, 1],
    [1, 3, 1],
  ]);
});

it('explains as much of the count as the calls may have cost, and no more', () => {
  const calls = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(calls, fc.nat(30), fc.nat(30), (bounds, settled, usage) => {
      const rows = bounds.map((most, index) => lost(String(index), most, index));
      const costs = costOfLostCalls(usage, { settled, rows });
      const sum = [...costs.values()].reduce((total, pulls) => total + pulls, 0);
      const most = rows.reduce((total, row) => total + mostPullsOf(row), 0);
      expect(sum).toBe(Math.max(0, Math.min(most, usage - settled)));
      for (const row of rows) expect(costs.get(row.callId)).toBeLessThanOrEqual(mostPullsOf(row));
    }),
  );
});
