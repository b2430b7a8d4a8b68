// The oracle's own evaluation of listing rules.
import { describe, expect, it } from 'vitest';
import { holdsAtSet, listingAlerts } from './listing-rules.ts';
import type { ListingSet } from './market.ts';

/** One set a minute; each listing is its id, price and quantity. */
function sets(...refreshes: [id: number, price: number, quantity?: number][][]): ListingSet[] {
  return refreshes.map((listings, index) => ({
    observedAt: index + 1,
    listings: listings.map(([listing_id, price, quantity = 2]) => ({
      ...{ listing_id, price, quantity },
      ...{ zone: 'Floor', section: '101', row: 'A' },
    })),
  }));
}

const rule = { type: 'listing', sections: ['100-109'], at_or_below: 100 };

describe('a listing rule, to the oracle,', () => {
  it('speaks of what is there at the first look', () => {
    expect(listingAlerts(rule, sets([[1, 90]], [[1, 90]]))).toEqual([1]);
  });

  it('speaks of a new cheapest match and of one that became cheaper', () => {
    const seen = sets(
      [[1, 120]],
      [
        [1, 120],
        [2, 99],
      ],
      [
        [2, 99],
        [3, 99.5],
      ],
      [[2, 98]],
    );
    expect(listingAlerts(rule, seen)).toEqual([2, 4]);
  });

  it('speaks of a listing once per price, also when it was gone', () => {
    expect(listingAlerts(rule, sets([[1, 90]], [], [[1, 90]], [[1, 89]]))).toEqual([1, 4]);
  });

  it('passes over what is elsewhere or too few', () => {
    const pairs = { ...rule, min_quantity: 2 };
    expect(listingAlerts(pairs, sets([[1, 90, 1]]))).toEqual([]);
    expect(listingAlerts({ ...rule, sections: ['200-209'] }, sets([[1, 90]]))).toEqual([]);
    expect(
      listingAlerts({ type: 'listing', zones: ['Floor'], at_or_below: 89 }, sets([[1, 90]])),
    ).toEqual([]);
  });

  it('counts matches where supply asks for them', () => {
    const supply = { type: 'supply', matching: { zones: ['Floor'] }, at_or_above: 2 };
    expect(
      listingAlerts(
        supply,
        sets(
          [[1, 90]],
          [
            [1, 90],
            [2, 95],
          ],
          [
            [1, 90],
            [2, 95],
          ],
        ),
      ),
    ).toEqual([2]);
  });

  it('says whether it still holds', () => {
    const [cheap, dear, empty] = sets([[1, 100]], [[1, 101]], []);
    expect([cheap, dear, empty].map((set) => set && holdsAtSet(rule, set))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
