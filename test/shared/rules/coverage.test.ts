/** How much of a window must be known, and when it counts as whole. */
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { coversWhole, leastCoverageMs } from '#shared/rules/coverage.ts';
import { DAY_MS, HOUR_MS } from '#shared/rules/window.ts';
import { aSnapshot, Market, MINUTE, ruleOf, START } from '#test/support/rules/market.ts';

const newLow = { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' };

describe('the least history of a window', () => {
  it.each([
    ['1h', 0.5],
    ['6h', 3],
    ['24h', 12],
    ['7d', 84],
    ['30d', 360],
    ['ever', 24],
  ] as const)('is half of %s, or a day of ever: %d hours', (window, hours) => {
    expect(leastCoverageMs(window)).toBe(hours * HOUR_MS);
  });

  it('is what min_history_hours says, if the rule has it', () => {
    const [spec] = compileRule(ruleOf({ ...newLow, min_history_hours: 2 }));
    expect(spec?.condition).toEqual({
      series: 'stats/get_in/span:7d',
      direction: 'up',
      level: 120,
    });
  });

  it('is asked of the windows of conditions too', () => {
    const from = { of: 'high', window: '24h' };
    const dropped = { type: 'change', metric: 'median_price', drops_by: { percent: 10 }, from };
    const [spec] = compileRule(
      ruleOf({ type: 'level', metric: 'get_in', at_or_below: 80, all_of: [dropped] }),
    );
    expect(spec?.condition).toEqual({
      all: [
        { series: 'stats/median_price/drop_pct:high:24h', direction: 'up', level: 1_000 },
        { series: 'stats/median_price/span:24h', direction: 'up', level: 720 },
      ],
    });
  });

  it('counts the history from before the watch', async () => {
    const market = new Market();
    for (let hour = 0; hour < 90; hour += 1) {
      await market.see(aSnapshot(START + hour * HOUR_MS, { get_in: 10_000 }));
    }
    await market.make(newLow, START + 89 * HOUR_MS + MINUTE);
    await market.see(aSnapshot(START + 90 * HOUR_MS, { get_in: 9_900 }));
    expect(market.alerts.map(({ firing }) => firing.coveredMs)).toEqual([90 * HOUR_MS]);
  });
});

describe('a window counts as whole', () => {
  it.each([
    ['1h', 53 * MINUTE, true],
    ['1h', 52 * MINUTE, false],
    ['7d', 7 * DAY_MS - 6 * HOUR_MS, true],
    ['7d', 7 * DAY_MS - 7 * HOUR_MS, false],
    ['ever', 400 * DAY_MS, false],
  ] as const)('%s with values of %d ms: %j', (window, coveredMs, isWhole) => {
    expect(coversWhole(window, coveredMs)).toBe(isWhole);
  });
});
