/** When an alert says that one listing is far under the rest. */
import { describe, expect, it } from 'vitest';
import type { Listing } from '#shared/marketplace/reading/listings.ts';
import { historyNeeds } from '#shared/rules/history-needs.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { isFarUnder } from '#shared/rules/plausibility.ts';
import { aSnapshot, Market, MINUTE, START } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in', at_or_below: 70 };

/** Whether each alert of a rule is about a lone listing; snapshots are [get-in, median] in dollars. */
async function loneAfter(rule: object, snapshots: readonly (readonly [number, number])[]) {
  const market = new Market();
  await market.make(rule, START);
  for (const [index, [getIn, median]] of snapshots.entries()) {
    const metrics = { get_in: getIn * 100, median_price: median * 100 };
    await market.see(aSnapshot(START + (index + 1) * MINUTE, metrics));
  }
  return market.alerts.map(({ firing }) => firing.isLone);
}

describe('a price in stats', () => {
  it.each<[string, object, [number, number][], boolean[]]>([
    [
      'halves while the median stays',
      level,
      [
        [100, 200],
        [50, 200],
      ],
      [true],
    ],
    [
      'halves while the median hardly moves',
      level,
      [
        [100, 200],
        [50, 190],
      ],
      [true],
    ],
    [
      'falls by less than half',
      level,
      [
        [100, 200],
        [51, 200],
      ],
      [false],
    ],
    [
      'halves with the median',
      level,
      [
        [100, 200],
        [50, 180],
      ],
      [false],
    ],
    ['is already low', level, [[60, 200]], [false]],
    [
      'comes back to its low',
      level,
      [
        [60, 200],
        [100, 200],
        [60, 200],
      ],
      [false, false],
    ],
    [
      'is a hundredth of itself for two snapshots',
      level,
      [
        [100, 200],
        [1, 199],
        [1, 199],
      ],
      [true],
    ],
    [
      'halves, confirmed by a second snapshot',
      { ...level, confirmations: 2 },
      [
        [100, 200],
        [50, 200],
        [50, 200],
      ],
      [true],
    ],
    [
      'is a new low',
      { type: 'extreme', metric: 'get_in', new: 'low', within: '24h', min_history_hours: 0.01 },
      [
        [100, 200],
        [45, 200],
      ],
      [true],
    ],
    [
      'is a median',
      { ...level, metric: 'median_price' },
      [
        [100, 200],
        [100, 60],
      ],
      [false],
    ],
  ])('that %s', async (_, rule, snapshots, lone) => {
    expect(await loneAfter(rule, snapshots)).toEqual(lone);
  });

  it('is compared with a median that stores load too', () => {
    expect(historyNeeds(['stats/get_in/zone=Floor'])).toEqual([
      { base: 'stats/get_in/zone=Floor', spanMs: 0, everyValue: false },
      { base: 'stats/median_price/zone=Floor', spanMs: 0, everyValue: false },
    ]);
  });
});

describe('a listing', () => {
  const seat = { section: '101', row: 'A', zone: 'Floor', quantity: 2, quantity_start: 2 };
  const times = { created_at: '2026-10-01T00:00:00Z', updated_at: '2026-10-01T00:00:00Z' };
  const rule = { type: 'listing', sections: ['101'], at_or_below: 70 };

  it.each([
    [[50, 100, 110], [true]],
    [[51, 100], [false]],
    [[50, 60, 110], [false]],
    [[50], [false]],
  ])('with these matches: %j', async (dollars, lone) => {
    const market = new Market();
    await market.make(rule, START);
    const rows = dollars.map(
      (price, index): Listing => ({ ...seat, ...times, active: true, listing_id: index, price }),
    );
    const filters = ['sections=101'];
    await market.see(
      snapshotFromListings({
        eventId: 7,
        observedAt: START + MINUTE,
        rows,
        filters,
        previous: null,
      }),
    );
    expect(market.alerts.map(({ firing }) => firing.isLone)).toEqual(lone);
  });
});

it.each([
  [50, 100, true],
  [51, 100, false],
])('%d is far under %d: %j', (cents, next, isFar) => {
  expect(isFarUnder(cents, next)).toBe(isFar);
});
