/** What rules say over several snapshots, where the table of cases does not show it. */
import { describe, expect, it } from 'vitest';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import { aSnapshot, Market, MINUTE, START } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in', at_or_below: 100 };

describe('a market watched by rules', () => {
  it('replaces a further trigger at the next firing in one move', async () => {
    const market = new Market();
    const rule = { ...level, at_or_below: 290, repeat_every_further_percent: 2 };
    await market.make(rule, START);
    for (const [i, price] of [310, 283, 305, 200].entries()) {
      await market.see(aSnapshot(START + (i + 1) * MINUTE, { get_in: price * 100 }));
    }
    expect(market.lastMatches.moves.map(({ decision }) => decision.kind)).toEqual(['fire']);
    expect(market.trigger(furtherTriggerId('trg_1'))).toMatchObject({
      level: 19_600,
      mainGeneration: 2,
      generation: 20_001,
    });
  });

  it('says of a rise from none that it has no percentage', async () => {
    const market = new Market();
    await market.make(
      {
        type: 'change',
        metric: 'total_listings_active',
        rises_by: { percent: 50 },
        from: { of: 'previous_snapshot' },
      },
      START,
    );
    await market.see(aSnapshot(START + 1, { total_listings_active: 0 }));
    await market.see(aSnapshot(START + 2, { total_listings_active: 40 }));
    expect(
      market.alerts.map(({ firing }) => [firing.base, firing.baseline, firing.isFromNone]),
    ).toEqual([[40, 0, true]]);
    expect(JSON.stringify(market.alerts)).not.toMatch(/Infinity|NaN/);
  });

  it('remembers no more firings than its limits ask about', async () => {
    const market = new Market();
    await market.make({ type: 'any_change', metric: 'get_in', at_most_per_day: 3 }, START);
    for (let i = 1; i < 20; i += 1) {
      await market.see(aSnapshot(START + i * 9 * 60 * MINUTE, { get_in: 1_000 + i }));
    }
    expect(market.alerts.length).toBeGreaterThan(10);
    expect(market.trigger().memory.firings).toHaveLength(3);
  });
});

describe('three rules of one watch at three levels', () => {
  it('speak once each, and say nothing on the way back', async () => {
    const market = new Market();
    for (const at of [200, 150, 100]) {
      await market.make({ ...level, at_or_below: at }, START, `trg_${at}`);
    }
    const said: string[][] = [];
    for (const [i, price] of [220, 140, 95, 120, 180, 210].entries()) {
      const before = market.alerts.length;
      await market.see(aSnapshot(START + (i + 1) * MINUTE, { get_in: price * 100 }));
      said.push(
        market.alerts
          .slice(before)
          .map(({ id }) => id)
          .sort(),
      );
    }
    expect(said).toEqual([[], ['trg_150.1', 'trg_200.1'], ['trg_100.1'], [], [], []]);
  });
});
