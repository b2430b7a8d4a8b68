import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aListing, minuteMs, openMarket } from './support/market.ts';

interface Row {
  listing_id: number;
  section: string;
}

const seats = ['101', '102', '103'];
const listing = fc.record({
  listing_id: fc.integer({ min: 1, max: 12 }),
  section: fc.constantFrom(...seats),
  quantity: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 10, max: 99 }),
});
const set = fc.uniqueArray(listing, {
  maxLength: 20,
  selector: (row) => `${row.listing_id} ${row.section}`,
});
const keyOf = (row: Row) => `${row.listing_id} ${row.section}`;

describe('a walk over listings while they refresh', () => {
  it.each(['both', 'active'] as const)(
    'any limit and any interleaved refreshes give each surviving row exactly once, in order: %s',
    async (filter) => {
      const query = filter === 'active' ? '&active=true' : '';
      await fc.assert(
        fc.asyncProperty(
          set,
          fc.array(set, { maxLength: 8 }),
          fc.integer({ min: 1, max: 7 }),
          async (first, refreshes, limit) => {
            const market = openMarket();
            const take = (rows: object[]) => {
              market.pass(minuteMs);
              market.list(rows.map((row) => aListing(1, row as Record<string, unknown>)));
            };
            take(first);
            let surviving = new Set(first.map(keyOf));
            const seen: Row[] = [];
            let cursor: string | null = null;
            for (let page = 0; page < 200; page += 1) {
              const next = cursor === null ? '' : `&starting_after=${cursor}`;
              const { json } = await market.get(
                `/v1/events/1/listings?limit=${limit}${query}${next}`,
              );
              seen.push(...json.data);
              cursor = json.next_cursor;
              if (cursor === null) break;
              const refresh = refreshes.shift();
              if (!refresh) continue;
              take(refresh);
              // Delisted rows survive in a walk over both, but not in one over active rows.
              const listed = new Set(refresh.map(keyOf));
              if (filter === 'active')
                surviving = new Set([...surviving].filter((key) => listed.has(key)));
            }
            const keys = seen.map(keyOf);
            expect(new Set(keys).size).toBe(keys.length);
            for (const key of surviving) expect(keys).toContain(key);
            const ids = seen.map((row) => row.listing_id);
            expect(ids).toEqual([...ids].sort((a, b) => a - b));
            for (const state of ['', '&active=true', '&active=false']) {
              const { json } = await market.get(`/v1/events/1/listings?limit=1000${state}`);
              expect(json.total_count).toBe(json.data.length);
            }
            market.close();
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});

describe('a walk over sales and snapshots', () => {
  it('any limit gives the rows of one whole page', async () => {
    const market = openMarket();
    market.list(Array.from({ length: 23 }, (_, i) => aListing(i + 1)));
    market.list(
      Array.from({ length: 9 }, (_, i) => aListing(`v${i}`)),
      { source: 'vs' },
    );
    for (let id = 1; id <= 23; id += 1) {
      market.pass(id % 3 === 0 ? minuteMs : 0);
      market.sell({ listing_id: id });
      market.list([aListing(id)]);
      market.list(
        Array.from({ length: Math.max(0, 9 - id) }, (_, i) => aListing(`v${i}`)),
        { source: 'vs' },
      );
    }
    for (const path of ['/v1/events/1/sales?source=all', '/v1/events/1/stats?']) {
      const whole = (await market.get(`${path}&limit=200`)).json.data;
      expect(whole.length).toBeGreaterThan(20);
      for (let limit = 1; limit <= 24; limit += 1) {
        const rows: unknown[] = [];
        let cursor: string | null = null;
        do {
          const next: string = cursor === null ? '' : `&starting_after=${cursor}`;
          const { json } = await market.get(`${path}&limit=${limit}${next}`);
          rows.push(...json.data);
          cursor = json.next_cursor;
        } while (cursor !== null);
        expect(rows).toEqual(whole);
        market.pass(minuteMs);
      }
    }
  });
});
