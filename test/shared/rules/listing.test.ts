/** Listing rules: which listings a filter means, and which of them are news. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Listing } from '#shared/marketplace/reading/listings.ts';
import {
  filterKeyOf,
  listingFilterBounds,
  listingMatcher,
} from '#shared/rules/language/listing-filter.ts';
import { matchesSeatPattern, parseSeatPattern } from '#shared/rules/language/seat-pattern.ts';
import { type ListingsSnapshot, snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { Market, MINUTE, START } from '#test/support/rules/market.ts';

describe('seat patterns', () => {
  it.each([
    ['101-118', '101', true],
    ['101-118', '118', true],
    ['101-118', '119', false],
    ['101-118', '0110', true],
    ['101-118', '110A', false],
    ['101-118', '1101', false],
    ['A-K', 'A', true],
    ['a-k', 'K', true],
    ['A-K', 'L', false],
    ['A-K', 'AA', false],
    ['X-BB', 'Z', true],
    ['X-BB', 'AA', true],
    ['X-BB', 'BB', true],
    ['X-BB', 'CC', false],
    ['X-BB', 'W', false],
    ['A-K', '5', false],
    ['1-10', 'A', false],
    ['1-10', '10', true],
    ['CLUB*', 'Club 12', true],
    ['CLUB*', 'The Club', false],
    ['*BOX*', 'suite box 3', true],
    ['1?1', '121', true],
    ['1?1', '1221', false],
    ['101', ' 101 ', true],
    ['GA', 'ga', true],
    ['A-1', 'a-1', true],
  ])('%s against %s: %s', (pattern, name, matches) => {
    const parsed = parseSeatPattern(pattern);
    expect(parsed !== null && matchesSeatPattern(parsed, name)).toBe(matches);
  });

  it.each(['', '  ', '118-101', 'K-A', 'BB-X'])('refuses "%s"', (pattern) => {
    expect(parseSeatPattern(pattern)).toBeNull();
  });

  it('matches a long name against many stars without going back and forth', () => {
    const pattern = parseSeatPattern(`${'*A'.repeat(19)}B`) ?? '';
    expect(matchesSeatPattern(pattern, 'A'.repeat(20_000))).toBe(false);
  });
});

describe('a filter key', () => {
  it('is the same for the same listings', () => {
    const key = 'min_quantity=2;rows=A-K;sections=101-105,CLUB*;zones=Lower%20Bowl';
    expect(
      filterKeyOf({
        zones: ['Lower Bowl', 'Lower Bowl'],
        sections: ['club*', '104-105', '101', '102 - 103'],
        rows: ['a-k'],
        min_quantity: 2,
      }),
    ).toBe(key);
    expect(listingFilterBounds(key)).toEqual({ zones: ['Lower Bowl'], minQuantity: 2 });
    expect(filterKeyOf({})).toBe('all');
    expect(listingFilterBounds('all')).toEqual({ zones: null, minQuantity: 1 });
  });

  it('keeps names with its own separators in them', () => {
    const zones = ['A;B', 'C=D', 'E,F', 'G/H'];
    const matches = listingMatcher(filterKeyOf({ zones }));
    expect(zones.map((zone) => matches({ zone, section: '1', row: 'A', quantity: 1 }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(matches({ zone: 'A', section: '1', row: 'A', quantity: 1 })).toBe(false);
  });
});

let nextId = 1;

function aListing(price: number, fields: Partial<Listing> = {}): Listing {
  nextId += 1;
  return {
    listing_id: nextId,
    active: true,
    zone: 'Lower Bowl',
    section: '101',
    row: 'C',
    quantity_start: 2,
    quantity: 2,
    price,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    ...fields,
  };
}

describe('a listings snapshot', () => {
  const at = (rows: Listing[], previous: ListingsSnapshot | null) =>
    snapshotFromListings({ eventId: 7, observedAt: START, rows, filters: ['all'], previous });

  it('has a new cheapest match only where the cheapest was not there, or was dearer', () => {
    const listing = aListing(120);
    const first = at([listing], null);
    const news = (rows: Listing[]) => at(rows, first).filters.all?.newCheapestCents;
    expect(first.filters.all).toMatchObject({ cheapestCents: 12000, newCheapestCents: null });
    expect(news([listing])).toBeNull();
    expect(news([{ ...listing, price: 121 }])).toBeNull();
    expect(news([{ ...listing, price: 119 }])).toBe(11900);
    expect(news([listing, aListing(119)])).toBe(11900);
    expect(news([listing, aListing(130)])).toBeNull();
    expect(news([])).toBeNull();
  });

  it('counts all matches and keeps the twenty cheapest', () => {
    const rows = Array.from({ length: 30 }, (_, i) => aListing(100 + i));
    const summary = at(rows.reverse(), null).filters.all;
    expect(summary?.count).toBe(30);
    expect(summary?.matches.map(({ priceCents }) => priceCents)).toEqual(
      Array.from({ length: 20 }, (_, i) => 10000 + i * 100),
    );
  });
});

const rule = { type: 'listing', sections: ['101-105'], min_quantity: 2, at_or_below: 150 };
const filter = 'min_quantity=2;sections=101-105';

describe('a listing rule', () => {
  let market: Market;
  let previous: ListingsSnapshot | null;
  let minute: number;

  beforeEach(() => {
    market = new Market();
    previous = null;
    minute = 0;
  });

  /** @returns the prices that the refresh's alert names, none when there is no alert. */
  async function refresh(...rows: Listing[]): Promise<number[]> {
    minute += 1;
    const observedAt = START + minute * MINUTE;
    const filters = [filter, 'sections=101-105'];
    previous = snapshotFromListings({ eventId: 7, observedAt, rows, filters, previous });
    const before = market.alerts.length;
    await market.see(previous);
    return market.alerts
      .slice(before)
      .flatMap(({ firing }) => firing.listings.map((l) => l.priceCents));
  }

  it('names the listings that are there already when it is made', async () => {
    await refresh(aListing(140), aListing(120), aListing(200));
    await market.make(rule, START + minute * MINUTE + 1);
    const [alert] = market.alerts;
    expect(alert?.alreadyTrue).toBe(true);
    expect(alert?.firing.listings.map(({ priceCents }) => priceCents)).toEqual([12000, 14000]);
  });

  it('fires per new cheapest match, and not for what does not match', async () => {
    await market.make(rule, START);
    const cheap = aListing(120);
    expect(
      await refresh(aListing(200), aListing(60, { section: '301' }), aListing(60, { quantity: 1 })),
    ).toEqual([]);
    expect(await refresh(cheap)).toEqual([12000]);
    expect(await refresh(cheap, aListing(130))).toEqual([]);
    expect(await refresh(cheap, aListing(110))).toEqual([11000, 12000]);
    expect(await refresh(cheap, aListing(90, { active: false }))).toEqual([]);
  });

  it('fires again when the match is gone and another comes, even a dearer one', async () => {
    await market.make(rule, START);
    await refresh(aListing(200));
    expect(await refresh(aListing(120))).toEqual([12000]);
    expect(await refresh(aListing(200))).toEqual([]);
    expect(await refresh(aListing(140))).toEqual([14000]);
  });

  it('does not take an old listing for news when the cheaper one is gone', async () => {
    await market.make(rule, START);
    const [cheap, next] = [aListing(120), aListing(130)];
    await refresh(aListing(200));
    expect(await refresh(cheap, next)).toEqual([12000, 13000]);
    expect(await refresh(next)).toEqual([]);
  });

  it('names a listing once per price, however often it comes and goes', async () => {
    await market.make(rule, START);
    const listing = aListing(149);
    await refresh(aListing(200));
    expect(await refresh(listing)).toEqual([14900]);
    expect(await refresh({ ...listing, price: 150.01 })).toEqual([]);
    expect(await refresh(listing)).toEqual([]);
    expect(await refresh()).toEqual([]);
    expect(await refresh(listing)).toEqual([]);
    expect(await refresh({ ...listing, price: 148.99 })).toEqual([14899]);
  });

  it('takes a reused listing id for a new listing', async () => {
    await market.make(rule, START);
    const listing = aListing(140);
    await refresh(aListing(200));
    expect(await refresh(listing)).toEqual([14000]);
    await refresh();
    expect(await refresh({ ...listing, created_at: '2026-11-02T00:00:00Z' })).toEqual([14000]);
  });

  it('waits a refresh before it believes a price ten times too low', async () => {
    await market.make(rule, START);
    const miskeyed = aListing(17);
    await refresh(aListing(1700));
    expect(await refresh(aListing(1700), miskeyed)).toEqual([]);
    expect(await refresh(aListing(1700))).toEqual([]);
    expect(await refresh(aListing(1700), miskeyed)).toEqual([]);
    expect(await refresh(aListing(1700), miskeyed)).toEqual([1700]);
  });

  it('counts the listings that match where supply asks for them', async () => {
    const supply = { type: 'supply', matching: { sections: ['101-105'] }, at_or_above: 2 };
    await market.make(supply, START);
    await refresh(aListing(100));
    expect(market.alerts).toHaveLength(0);
    await refresh(aListing(100), aListing(100, { quantity: 1 }));
    expect(market.alerts.map(({ firing }) => firing.value)).toEqual([2]);
  });
});
