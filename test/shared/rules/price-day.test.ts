// The numbers of a day, hour by hour.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAfter, emptyDay, type HourValue, partsOf } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { statsAt } from '#test/support/api.ts';

const midnight = Date.parse('2026-03-01T00:00:00Z');
const minuteMs = 60_000;
/** A snapshot so many minutes after midnight; dollars. */
const at = (minutes: number, price: number | null, zones = {}) =>
  statsAt(midnight + minutes * minuteMs, price, zones);
const dayOf = (...polls: MarketSnapshot[][]) => polls.reduce(dayAfter, emptyDay(midnight));

describe('a day of prices', () => {
  it('has for each hour the extremes in their order, and the last value', () => {
    const day = dayOf([at(0, 90), at(10, 80), at(20, 95), at(30, 85), at(61, 70), at(119, 70)]);
    expect(day.metrics.get_in.slice(0, 3)).toEqual([[8_000, 9_500, 8_500], 7_000, null]);
    expect(day.times.slice(0, 3)).toEqual([
      [midnight, midnight + 30 * minuteMs],
      [midnight + 61 * minuteMs, midnight + 119 * minuteMs],
      null,
    ]);
    expect(day.metrics.total_listings_active[0]).toBe(50);
  });

  it('says when nothing was for sale at the end of an hour, or in all of it', () => {
    const day = dayOf([at(0, 90), at(10, null), at(60, null), at(130, null), at(140, 50)]);
    expect(day.metrics.get_in.slice(0, 3)).toEqual([[9_000, 9_000, null], null, 5_000]);
  });

  it('has each zone by its name, whatever the name is', () => {
    const odd = { 'Lower Bowl': 100, ['__proto__']: 5, '': 7 };
    const day = dayOf([at(0, 90, odd), at(10, 90, { 'Lower Bowl': 120 })]);
    expect([...day.zones.keys()].sort()).toEqual(['', 'Lower Bowl', '__proto__']);
    expect(day.zones.get('Lower Bowl')?.get_in[0]).toEqual([10_000, 12_000, 12_000]);
    expect(day.zones.get('__proto__')?.avg_price[0]).toBe(500);
  });

  it('takes a late snapshot before what it knows, and none of another day', () => {
    const day = dayOf([at(0, 90), at(30, 80)], [at(10, 70), at(-5, 1), at(24 * 60, 1)]);
    expect(day.metrics.get_in[0]).toEqual([7_000, 9_000, 8_000]);
    expect(dayOf([at(30, null)], [at(10, 70)]).metrics.get_in[0]).toEqual([7_000, 7_000, null]);
  });

  const snapshots = fc
    .array(
      fc.tuple(
        fc.integer({ min: 0, max: 180 }),
        fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
      ),
      { minLength: 1, maxLength: 40 },
    )
    .map((rows) => [...new Map(rows)].sort(([a], [b]) => a - b));

  it('is the same however its snapshots are cut into polls, and when a poll comes again', () => {
    fc.assert(
      fc.property(snapshots, fc.nat(40), fc.nat(40), (rows, cut, again) => {
        const all = rows.map(([minutes, price]) => at(minutes, price, { Court: price ?? 1 }));
        const whole = dayOf(all);
        expect(dayOf(all.slice(0, cut), all.slice(cut))).toEqual(whole);
        expect(dayOf(all, all.slice(again), all)).toEqual(whole);
      }),
    );
  });

  it('agrees with a look at all snapshots of each hour', () => {
    fc.assert(
      fc.property(snapshots, (rows) => {
        const day = dayOf(rows.map(([minutes, price]) => at(minutes, price)));
        for (const hour of [0, 1, 2]) {
          const own = rows.filter(([minutes]) => Math.floor(minutes / 60) === hour);
          expect(day.metrics.get_in[hour]).toEqual(naive(own.map(([, price]) => price)));
        }
      }),
    );
  });
});

/** The simplest form of the same. */
function naive(prices: readonly (number | null)[]): HourValue {
  const known = prices.filter((price) => price !== null).map((price) => price * 100);
  if (known.length === 0) return null;
  const last = prices.at(-1) ?? null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const end = last === null ? null : last * 100;
  if (low === high && end === low) return low;
  // The extreme that was reached last is the second.
  const isLowFirst = known.indexOf(low) < known.indexOf(high);
  return isLowFirst ? [low, high, end] : [high, low, end];
}

it('a value that did not move has equal parts', () => {
  expect(partsOf(5)).toEqual({ first: 5, second: 5, last: 5 });
  expect(partsOf([5, 3, null])).toEqual({ first: 5, second: 3, last: null });
  expect(partsOf(null)).toBeUndefined();
});
