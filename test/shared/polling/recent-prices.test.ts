// The prices of the last day, hour by hour, and of the last week, by three hours.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areRecentPrices,
  lineOf,
  lineUntil,
  newZones,
  partsKept,
  priceDayBefore,
  recentAfter,
  weekOf,
} from '#shared/polling/recent-prices.ts';
import { startMs, statsAt } from '#test/support/api.ts';

const hourMs = 3_600_000;
const hour = startMs / hourMs;
const at = (hours: number, price: number | null) => statsAt(startMs + hours * hourMs, price);

it('keeps the last price of each hour, and carries it over hours without a snapshot', () => {
  const recent = recentAfter(undefined, [at(0, 90), at(0.5, 80), at(3, 70), at(4, null)]);
  expect(recent).toMatchObject({ hour: hour + 4, cents: [8_000, 8_000, 8_000, 7_000, 0] });
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
  const now = lineUntil(recent, startMs + 24.5 * hourMs);
  expect([now.hour, now.cents.at(-1), priceDayBefore(now)]).toEqual([hour + 24, 8_000, 9_000]);
  expect(priceDayBefore(recent)).toBe(0);
});

it('keeps the last price of each three hours of a week', () => {
  // Noon begins three hours.
  const recent = recentAfter(undefined, [at(0, 90), at(2, 80), at(3, 70), at(9.5, null)]);
  expect(recent?.week).toEqual([8_000, 7_000, 7_000, 0]);
  const later = recentAfter(recent, [at(24 * 8, 60)]);
  expect(later?.week).toEqual([...Array(55).fill(0), 6_000]);
});

it('takes the week of an earlier release from its hours', () => {
  const before = { hour: hour + 4, cents: [1, 2, 3, 4, 5] };
  expect(weekOf(before)).toEqual([3, 5]);
  expect(recentAfter(before, [at(5, 0.06)])?.week).toEqual([3, 6]);
});

it('gives the same week however the snapshots are cut into polls', () => {
  const prices = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 9 })),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 60 }), (made, cut) => {
      const rows = made.toSorted(([a], [b]) => a - b).map(([hours, price]) => at(hours / 2, price));
      const whole = recentAfter(undefined, rows);
      const parts = recentAfter(recentAfter(undefined, rows.slice(0, cut)), rows.slice(cut));
      expect(parts).toEqual(whole);
      expect(whole?.week?.length).toBeLessThanOrEqual(partsKept);
      expect(whole?.week?.at(-1)).toBe(whole?.cents.at(-1));
    }),
  );
});

const withZones = (hours: number, zones: Record<string, number>) =>
  statsAt(startMs + hours * hourMs, 50, zones);

it('keeps the prices of the zones that are asked for, and drops those of the others', () => {
  const zones = ['Lower Bowl', '__proto__'];
  const recent = recentAfter(undefined, [withZones(0, { 'Lower Bowl': 90, Club: 10 })], { zones });
  expect(recent?.zones).toEqual([
    { name: 'Lower Bowl', hour, cents: [9_000], week: [9_000] },
    { name: '__proto__', hour, cents: [0], week: [0] },
  ]);
  expect(recentAfter(recent, [withZones(1, {})], { zones: ['Lower Bowl'] })).toEqual({
    ...{ hour: hour + 1, cents: [5_000, 5_000], week: [5_000] },
    zones: [{ name: 'Lower Bowl', hour: hour + 1, cents: [9_000, 0], week: [0] }],
  });
  expect(recentAfter(recent, [])).not.toHaveProperty('zones');
});

it('gives a zone that is new its past, and is then the same as if it had been watched all the time', () => {
  const snapshots = [-30, -20, -2, 0].map((hours) => withZones(hours, { Club: 100 + hours }));
  const past = [-30, -20, -2, 0].map((hours) => ({
    hour: hour + hours,
    cents: (100 + hours) * 100,
  }));
  const before = recentAfter(undefined, snapshots);
  expect(newZones(before, ['Club'])).toEqual(['Club']);
  const watched = { zones: ['Club'], pastOf: () => lineOf(past) };
  const after = recentAfter(before, snapshots.slice(-1), watched);
  expect(newZones(after, ['Club'])).toEqual([]);
  const [club] = after?.zones ?? [];
  expect([club?.cents.at(0), club?.cents.at(-3), club?.cents.at(-1)]).toEqual([
    7_000, 9_800, 10_000,
  ]);
  expect(club?.week?.length).toBe(11);
  expect(after).toEqual(recentAfter(undefined, snapshots, { zones: ['Club'] }));
});

it.each([
  undefined,
  null,
  {},
  { hour: 1, cents: 'x' },
  { hour: 1.5, cents: [] },
  { hour: 1, cents: ['1'] },
  { hour: 1, cents: [1], week: [null] },
  { hour: 1, cents: [1], zones: {} },
  { hour: 1, cents: [1], zones: [{ hour: 1, cents: [1] }] },
])('%j is not such prices', (value) => {
  expect(areRecentPrices(value)).toBe(false);
});
