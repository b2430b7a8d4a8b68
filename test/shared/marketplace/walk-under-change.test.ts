// Walks over listings while listings arrive and cursors expire, in any order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { API_KEY, envelope } from '#test/support/marketplace/fake-service.ts';

/**
 * A listing by the number of its row; several rows may have the same listing id and other fields.
 */
function aListing(rowId: number, listingId: number) {
  return {
    listing_id: listingId,
    active: true,
    zone: 'Z',
    section: 'S',
    row: 'R',
    quantity_start: 2,
    quantity: 2,
    price: rowId,
    created_at: '2026-10-01T00:00:00Z',
    updated_at: '2026-10-01T00:00:00Z',
  };
}

interface Step {
  /** Before this request, listings with these ids arrive. */
  arrivals: number[];
  /** This request's cursor is refused. */
  isExpired: boolean;
}

/**
 * An in-memory marketplace as a client's fetch: rows by listing id, then row id, keyset cursors,
 * and before each request the next step of a script.
 */
function scriptedMarketplace(initial: number[], steps: Step[]): typeof fetch {
  let rowCount = 0;
  const make = (listingId: number) => ({ rowId: rowCount++, listingId });
  const rows = initial.map(make);
  const answer = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  const fetchPage = async (url: string) => {
    const query = new URL(url).searchParams;
    const cursor = query.get('starting_after');
    const limit = Number(query.get('limit'));
    const step = steps.shift();
    rows.push(...(step?.arrivals ?? []).map(make));
    rows.sort((a, b) => a.listingId - b.listingId || a.rowId - b.rowId);
    if (step?.isExpired && cursor !== null) {
      return answer(envelope('invalid_request', 'invalid_cursor', 'starting_after'), 400);
    }
    const [afterListing = -1, afterRow = -1] = (cursor ?? '')
      .split('.')
      .filter(Boolean)
      .map(Number);
    const rest = rows.filter(
      (row) =>
        row.listingId > afterListing || (row.listingId === afterListing && row.rowId > afterRow),
    );
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rest.length > limit;
    return answer({
      event_id: 7,
      service_event_id: 7,
      sh_event_id: 8,
      vs_event_id: null,
      data: page.map((row) => aListing(row.rowId, row.listingId)),
      has_more: hasMore,
      next_cursor: hasMore && last ? `${last.listingId}.${last.rowId}` : null,
      ...(cursor === null
        ? { total_count: rows.length, has_refreshed: true, last_refreshed_at: null }
        : {}),
    });
  };
  return fetchPage as unknown as typeof fetch;
}

/** The rows of a walk over these listings, with any number of refused cursors. */
function walk(initial: number[], steps: Step[], limit: number) {
  const client = new MarketplaceClient({
    baseUrl: 'http://market',
    apiKey: API_KEY,
    fetch: scriptedMarketplace(initial, steps),
  });
  return client.listings(7, { limit, maxRestarts: 100 }).toArray();
}

describe('a walk under any page size, arrivals and cursor expiry', () => {
  const listingId = fc.integer({ min: 1, max: 12 });
  const step = fc.record({
    arrivals: fc.array(listingId, { maxLength: 3 }),
    isExpired: fc.boolean(),
  });

  it('gives each row that was there at the start once, and no row twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(listingId, { maxLength: 12 }),
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (initial, steps, limit) => {
          // A reused id is a separate row: arrivals with a known id must not be skipped.
          const known = new Set(initial);
          const fresh = steps.map((each) => ({
            ...each,
            arrivals: each.arrivals.filter((id) => !known.has(id) && known.add(id)),
          }));
          const rows = await walk(initial, fresh, limit);
          const ids = rows.map((row) => row.listing_id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(initial.filter((id) => !ids.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives every row of a reused listing id, restarts or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(listingId, { maxLength: 25 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (initial, expiries, limit) => {
          const steps = expiries.map((isExpired) => ({ arrivals: [], isExpired }));
          const rows = await walk(initial, steps, limit);
          const rowIds = rows.map((row) => row.price).sort((a, b) => a - b);
          expect(rowIds).toEqual([...initial.keys()]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
