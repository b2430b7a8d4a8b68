// One unreadable row is left out and reported; a page without any readable row is refused.
import { describe, expect, it } from 'vitest';
import { readFirstListingsPage } from '#shared/marketplace/reading/listings.ts';
import { readStatsPage } from '#shared/marketplace/reading/stats.ts';

const prices = { avg_price: 60, median_price: 60, get_in: 50, get_in_qty2plus: 55 };
const zone = { zone_name: 'Lower Bowl', ...prices };
const snapshot = {
  ...{ timestamp: '2026-03-01T12:00:00Z', total_listings_all: 9, total_listings_active: 9 },
  ...{ listing_fill_rate: 0.5, ...prices, zones: [zone] },
};
const listing = {
  ...{ listing_id: 1, zone: 'Lower Bowl', section: '101', row: 'A', quantity: 2, price: 50 },
};
const page = (data: unknown[]) => ({ data, has_more: false, next_cursor: null });
const listings = (data: unknown[]) => ({
  ...page(data),
  last_refreshed_at: '2026-03-01T12:00:00Z',
});

describe('a row of the market', () => {
  it.each([
    ['lacks a price', { ...snapshot, get_in: undefined }, 'data[1].get_in'],
    ['has a price that is a text', { ...snapshot, get_in: 'cheap' }, 'data[1].get_in'],
    ['is no object', null, 'data[1].'],
  ])('is left out of the stats when it %s', (_name, odd, place) => {
    const { data, oddRows } = readStatsPage.parse(page([snapshot, odd, snapshot]));
    expect(data).toHaveLength(2);
    expect(oddRows).toHaveLength(1);
    expect(oddRows[0]).toContain(place);
  });

  it('loses only the odd zone', () => {
    const zones = [zone, { zone_name: 'Odd', get_in: [] }];
    const { data, oddRows } = readStatsPage.parse(page([{ ...snapshot, zones }]));
    expect(data[0]?.zones.map(({ zone_name }) => zone_name)).toEqual(['Lower Bowl']);
    expect(oddRows).toEqual(['data[0].zones: 1 of them']);
  });

  it('is left out of the listings', () => {
    const { data, oddRows } = readFirstListingsPage.parse(
      listings([{ ...listing, price: null }, listing]),
    );
    expect(data).toHaveLength(1);
    expect(oddRows[0]).toContain('data[0].price');
  });
});

describe('a page', () => {
  it('is refused when none of its rows can be read', () => {
    expect(readStatsPage.safeParse(page([{ ...snapshot, get_in: 'cheap' }])).success).toBe(false);
  });

  it('is refused when it has no rows at all, and taken when it has an empty list of them', () => {
    expect(readStatsPage.safeParse({ has_more: false, next_cursor: null }).success).toBe(false);
    expect(readStatsPage.parse(page([])).oddRows).toEqual([]);
  });
});
