// The prices of the last day, hour by hour.
import { expect, it } from 'vitest';
import {
  areRecentPrices,
  priceDayBefore,
  recentAfter,
  recentUntil,
} from '#shared/polling/recent-prices.ts';
import { startMs, statsAt } from '#test/support/api.ts';

const hourMs = 3_600_000;
const hour = startMs / hourMs;
const at = (hours: number, price: number | null) => statsAt(startMs + hours * hourMs, price);

it('keeps the last price of each hour, and carries it over hours without a snapshot', () => {
  const recent = recentAfter(undefined, [at(0, 90), at(0.5, 80), at(3, 70), at(4, null)]);
  expect(recent).toEqual({ hour: hour + 4, cents: [8_000, 8_000, 8_000, 7_000, 0] });
});

it('keeps a day and an hour, however long nothing came', () => {
  const recent = recentAfter(undefined, [at(0, 90), at(1_000, 80)]);
  expect(recent?.cents).toEqual([...Array(24).fill(9_000), 8_000]);
});

it('puts a late snapshot into its hour, and leaves one out that is too old', () => {
  const before = { hour, cents: [1, 2, 3] };
  expect(recentAfter(before, [at(-1, 50)])).toEqual({ hour, cents: [1, 5_000, 3] });
  expect(recentAfter(before, [at(-3, 50)])).toEqual(before);
});

it('lasts until now, and says the price of a day before when it is known', () => {
  const recent = recentAfter(undefined, [at(0, 90), at(1, 80)]) ?? { hour: 0, cents: [] };
  const now = recentUntil(recent, startMs + 24.5 * hourMs);
  expect([now.hour, now.cents.at(-1), priceDayBefore(now)]).toEqual([hour + 24, 8_000, 9_000]);
  expect(priceDayBefore(recent)).toBe(0);
});

it.each([
  undefined,
  null,
  {},
  { hour: 1, cents: 'x' },
  { hour: 1.5, cents: [] },
  { hour: 1, cents: ['1'] },
])('%j is not such prices', (value) => {
  expect(areRecentPrices(value)).toBe(false);
});
