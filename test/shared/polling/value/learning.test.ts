// What is learned of prices and alerts: robust, bounded, and useful from the first poll.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFeedValue, noEvidence, valueAfter } from '#shared/polling/value/feed-value.ts';
import { learnFromFleet, priorLearning } from '#shared/polling/value/fleet-learning.ts';
import {
  type PriceMemory,
  rangeOf,
  rememberPrice,
  variancesOf,
} from '#shared/polling/value/price-memory.ts';
import { chanceToReach } from '#shared/polling/value/reach.ts';
import { whyTurn } from '#shared/polling/value/why-turn.ts';

const gapMs = 30 * 60_000;
const now = Date.parse('2026-03-01T12:00:00Z');

function remembered(prices: readonly (number | null)[]): PriceMemory {
  const memory = prices.reduce<PriceMemory | undefined>(
    (before, cents, index) => rememberPrice(before, { at: now + index * gapMs, cents }),
    undefined,
  );
  if (!memory) throw new Error('no price was given');
  return memory;
}

const deviation = (prices: readonly (number | null)[]) =>
  Math.sqrt(variancesOf(remembered(prices), priorLearning, gapMs)[0] ?? 0);
/** Up and down by a percent. */
const restless: number[] = Array.from({ length: 100 }, (_, index) =>
  index % 2 === 0 ? 10_000 : 10_100,
);

describe('the memory of prices', () => {
  it('knows how far the price moves in a refresh', () => {
    expect(deviation(restless)).toBeCloseTo(0.0098, 3);
  });

  it('grows by one mis-keyed price no more than six times', () => {
    expect(deviation(restless.with(90, 100)) / deviation(restless)).toBeLessThan(6);
  });

  it('begins with the fleet’s volatility, and passes over what has no price', () => {
    expect(deviation([10_000])).toBeCloseTo(Math.sqrt(priorLearning.variancePerDay / 48), 9);
    expect(remembered([10_000, null, 0, 9_000]).steps).toBe(1);
  });

  it('knows the low of about a day', () => {
    const { low } = rangeOf(remembered([5_000, 10_000, 10_000]), 'day');
    expect(Math.exp(low)).toBeCloseTo(5_000, 6);
  });
});

const aValue = (prices: readonly number[], alerts: number) => {
  const before = { alerts: 0, rate: { alerts: 0, days: 0 }, curve: [0, 0, 0, 0, 0] };
  const promised = { levels: 0.5, rate: 0.2, days: 1 };
  return valueAfter({
    before: { ...before, promised, evidence: noEvidence },
    ...{ memory: remembered(prices), prospects: [], nearest: undefined, alerts },
    ...{ elapsedMs: 86_400_000, gapMs, watches: 10, learned: priorLearning, now },
  });
};

describe('the fleet’s learning', () => {
  it('stays within its bounds whatever the feeds say, and can be stored', () => {
    const feeds = fc.array(
      fc.record({
        prices: fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 80 }),
        alerts: fc.integer({ min: 0, max: 1_000_000 }),
        watches: fc.integer({ min: 0, max: 10_000 }),
      }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(feeds, (said) => {
        const fleet = said.map(({ prices, alerts, watches }) => {
          const value = aValue(prices, alerts);
          expect(isFeedValue(JSON.parse(JSON.stringify(value)))).toBe(true);
          return { value, watches, gapMs };
        });
        const learned = learnFromFleet(priorLearning, fleet);
        for (const each of [learned.mix.levels, learned.mix.rate, learned.explained]) {
          expect(each).toBeGreaterThan(0);
          expect(each).toBeLessThanOrEqual(2);
        }
        expect(learned.variancePerDay).toBeLessThanOrEqual(priorLearning.variancePerDay * 6);
      }),
    );
  });

  it('without a feed stays as it is', () => {
    expect(learnFromFleet(priorLearning, []).mix.levels).toBeCloseTo(priorLearning.mix.levels, 9);
  });
});

it('a damaged value is not used', () => {
  const value = aValue([10_000, 10_100], 3);
  expect(isFeedValue({ ...value, curve: 'none' })).toBe(false);
  expect(isFeedValue({ ...value, memory: { firstAt: 1 } })).toBe(false);
  expect(isFeedValue(undefined)).toBe(false);
});

it('a level is certain at the price, and less likely the further it is', () => {
  const chances = [0, 0.3, 1, 2, 5, 10].map(chanceToReach);
  expect(chances[0]).toBe(1);
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
});

it.each([
  [
    { nearest: { distance: 0.04, name: '$120' } },
    'about 30 % likely to reach $120 by 14:00 UTC; 12 watches',
  ],
  [
    { nearest: { distance: 0.4, name: '$80' } },
    'about 1 % likely to reach $80 by 14:00 UTC; 12 watches',
  ],
  [{ nearest: undefined }, 'about 1.5 alerts expected by 14:00 UTC; 12 watches'],
  [
    { nearest: undefined, watches: 1, at: now + 86_400_000 },
    'about 1.5 alerts expected by 2026-03-02 12:00 UTC; 1 watch',
  ],
])('the reason of a turn is said in words: %j', (over, expected) => {
  const facts = { deviation: 0.04, at: now + 7_200_000, now, watches: 12, alerts: 1.5, ...over };
  expect(whyTurn(facts)).toBe(expected);
});
