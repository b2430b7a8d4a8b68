// What a backtest says about a rule: amounts to try, a suggested one, what came after each alert, silence,
// and cost.
import { describe, expect, it } from 'vitest';
import { afterFire } from '#shared/backtest/after-fire.ts';
import { amountsToTry } from '#shared/backtest/amounts.ts';
import { runBacktest } from '#shared/backtest/backtest.ts';
import { type CurvePoint, suggestPoint } from '#shared/backtest/curve.ts';
import { findFires } from '#shared/backtest/find-fires.ts';
import { perWeek } from '#shared/backtest/per-week.ts';
import { amountOf } from '#shared/backtest/rule-amount.ts';
import { longestSilence } from '#shared/backtest/silence.ts';
import { pullsFor } from '#shared/backtest/watch-cost.ts';
import { aSnapshot, MINUTE, ruleOf, START } from '#test/support/rules/market.ts';

const dayMs = 86_400_000;
const level = ruleOf({ type: 'level', metric: 'get_in', at_or_below: 80 });
const drop = ruleOf({
  ...{ type: 'change', metric: 'get_in', drops_by: { percent: 10 } },
  from: { of: 'previous_snapshot' },
});

const priced = (prices: (number | null)[], everyMs = MINUTE) =>
  prices.map((price, index) =>
    aSnapshot(START + index * everyMs, { get_in: price === null ? null : price * 100 }),
  );

const inputOf = (prices: (number | null)[], everyMs?: number) => ({
  ...{ eventId: 7, eventStartsAt: null },
  snapshots: priced(prices, everyMs),
});

describe('the amount of a rule', () => {
  it.each([
    [{ type: 'level', metric: 'get_in', above: 90 }, 90, 'price'],
    [{ type: 'supply', at_or_below: 40 }, 40, 'count'],
    [{ type: 'fill_rate', at_or_above: 60 }, 60, 'share'],
    [{ type: 'listing', at_or_below: 150 }, 150, 'price'],
    [{ type: 'any_change', metric: 'get_in', min_percent: 3 }, 3, 'change_percent'],
    [
      { type: 'extreme', metric: 'get_in', new: 'low', within: '7d', min_amount: 2 },
      2,
      'change_dollars',
    ],
  ] as const)('of %j is %s', (rule, amount, kind) => {
    const own = amountOf(ruleOf(rule));
    expect([own?.amount, own?.kind]).toEqual([amount, kind]);
    expect(amountOf(ruleOf(own?.withAmount(amount + 1)))?.amount).toBe(amount + 1);
  });

  it('is not there for a rule that names none', () => {
    const rule = { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' };
    expect(amountOf(ruleOf(rule))).toBeUndefined();
  });

  it('is not replaced by one that could not be saved', () => {
    expect(amountOf(level)?.withAmount(-5)).toBeUndefined();
  });
});

describe('the amounts that a curve tries', () => {
  const own = amountOf(level);
  if (!own) throw new Error('a level has an amount');

  it('are 40 from the lowest to the highest value, with the rule’s own', () => {
    const amounts = amountsToTry(own, [60, 99, 75]);
    expect([amounts.length, amounts[0], amounts.at(-1)]).toEqual([40, 60, 99]);
    expect(amounts).toContain(80);
  });

  it('are the rule’s own alone without a value, and once where the price never moved', () => {
    expect(amountsToTry(own, [])).toEqual([80]);
    expect(amountsToTry(own, [80, 80])).toEqual([80]);
  });

  it('are percents of a change whatever the price', () => {
    const ofDrop = amountOf(drop);
    const amounts = ofDrop ? amountsToTry(ofDrop, [20, 4_000]) : [];
    expect(amounts.slice(0, 3)).toEqual([0.5, 1, 1.5]);
    expect(amounts.at(-1)).toBe(38);
  });
});

describe('the suggested amount', () => {
  const point = (amount: number, count: number, rate: number | null): CurvePoint => ({
    ...{ amount, rule: level, count, alreadyTrue: false, perWeek: rate },
  });

  it.each([
    ['the nearest rate', [point(70, 1, 0.5), point(80, 3, 1.2), point(90, 9, 4)], 80],
    ['the smallest of several', [point(70, 2, 1), point(80, 2, 1)], 70],
    ['none without a rate', [point(70, 2, null)], undefined],
    ['none if nothing fired', [point(70, 0, 0)], undefined],
  ])('is %s', (_, points, amount) => {
    expect(suggestPoint(points, 1)?.amount).toBe(amount);
  });
});

describe('what came after an alert', () => {
  const whatCame = async (rule: typeof level, prices: (number | null)[]) => {
    const input = inputOf(prices);
    const [own] = await findFires({ ...input, rules: [rule] });
    return own?.fires.map((fire) => afterFire(fire, input.snapshots));
  };

  it('is its lowest and highest value, and how long the level held', async () => {
    expect(await whatCame(level, [100, 79, null, 72, 81, 95])).toEqual([
      {
        lowest: { at: START + 3 * MINUTE, value: 7_200 },
        highest: { at: START + 5 * MINUTE, value: 9_500 },
        stayedMs: 3 * MINUTE,
        undoneAtOnce: false,
      },
    ]);
  });

  it('is undone at once if the next value is back', async () => {
    expect(await whatCame(level, [100, 79, null, 90])).toMatchObject([{ undoneAtOnce: true }]);
  });

  it('holds a change against its own baseline', async () => {
    expect(await whatCame(drop, [100, 90, 90, 89, 91])).toMatchObject([{ stayedMs: 3 * MINUTE }]);
  });

  it('is open if it holds until the end', async () => {
    expect(await whatCame(level, [100, 79])).toEqual([
      { lowest: null, highest: null, stayedMs: null, undoneAtOnce: false },
    ]);
  });
});

describe('rates, silence and cost', () => {
  it('gives a rate from a week on', () => {
    expect(perWeek(3, { from: 0, through: 7 * dayMs - 1 })).toBeNull();
    expect(perWeek(3, { from: 0, through: 14 * dayMs })).toBe(1.5);
    expect(perWeek(0, null)).toBeNull();
  });

  it('counts the silence before the first alert and after the last', () => {
    expect(longestSilence([], { from: 0, through: 10 })).toBe(10);
    expect(longestSilence([6, 7], { from: 0, through: 10 })).toBe(6);
    expect(longestSilence([1, 2], { from: 0, through: 10 })).toBe(8);
  });

  it('takes one pull for all that happens within the latency', () => {
    expect(pullsFor([0, 10, 20, 30, 100], 10)).toBe(3);
    expect(pullsFor([], 10)).toBe(0);
  });

  it('leaves an alert that was true from the start out of each count', async () => {
    const prices = [70, 100, 70, 100];
    const found = await runBacktest(level, inputOf(prices, 3 * dayMs), { latencyMs: MINUTE });
    expect([found.count, found.fires.length, found.perWeek]).toEqual([1, 2, 0.78]);
    const own = found.curve.find(({ amount }) => amount === 80);
    expect(own).toMatchObject({ count: 1, alreadyTrue: true });
  });
});
