// Which market lets the listings be polled at their normal rate.
import { describe, expect, it } from 'vitest';
import { decideListingReach } from '#shared/polling/listing-reach.ts';
import { statsAt } from '#test/support/api.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const market = statsAt(at, 200, { Lower: 110, Upper: 110.01 });
const single = statsAt(at, 100);
const pairs = { ...single, metrics: { ...single.metrics, get_in_qty2plus: 20_000 } };

describe('a rule at 100 dollars', () => {
  it.each([
    ['near, at a tenth above', market, 'zones=Lower', 'near'],
    ['out of reach, a cent higher', market, 'zones=Upper', 'out_of_reach'],
    ['near, if one of its zones is', market, 'zones=Lower,Upper', 'near'],
    ['out of reach in a zone without tickets', market, 'zones=Floor', 'out_of_reach'],
    ['out of reach of the whole event', market, 'all', 'out_of_reach'],
    ['out of reach in an empty market', statsAt(at, null), 'all', 'out_of_reach'],
    ['near for one ticket', pairs, 'all', 'near'],
    ['out of reach for two', pairs, 'min_quantity=2', 'out_of_reach'],
  ] as const)('is %s', (_title, snapshot, filter, expected) => {
    expect(decideListingReach([{ filter, levelCents: 10_000 }], snapshot)).toBe(expected);
  });
});

describe('the listings of an event', () => {
  it('are near for a rule without a price, and for the nearest of several', () => {
    const any = { filter: 'all', levelCents: null };
    const far = { filter: 'all', levelCents: 100 };
    expect(decideListingReach([any], market)).toBe('near');
    expect(decideListingReach([far, { filter: 'all', levelCents: 20_000 }], market)).toBe('near');
    expect(decideListingReach([far], market)).toBe('out_of_reach');
    expect(decideListingReach([], market)).toBe('out_of_reach');
  });
});
