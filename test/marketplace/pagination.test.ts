import { describe, expect, it } from 'vitest';
import {
  aListing,
  anEvent,
  hourMs,
  type Market,
  minuteMs,
  openMarket,
  walk,
} from './support/market.ts';

/** Three rows of each kind under two events, so that every cursor endpoint has pages of one. */
function marketWithPages(): Market {
  const rateLimits = { events_search: { limit: 100, window_seconds: 60 } };
  const market = openMarket({ rateLimits });
  market.ingest.accept({ events: [anEvent(2), anEvent(3)] });
  for (const eventId of [1, 2]) {
    for (let refresh = 0; refresh < 3; refresh += 1) {
      market.list(
        [1, 2, 3].map((id) => aListing(id, { price: 50 + refresh })),
        { event_id: eventId },
      );
      market.list([aListing('a'), aListing('b')], { event_id: eventId, source: 'vs' });
      market.pass(minuteMs);
    }
    for (const id of [1, 2, 3]) market.sell({ event_id: eventId, listing_id: id });
    market.list([], { event_id: eventId, source: 'vs' });
  }
  return market;
}

const endpoints = [
  ['search', '/v1/events/search?limit=1'],
  ['sales', '/v1/events/1/sales?limit=1'],
  ['listings', '/v1/events/1/listings?limit=1'],
  ['stats', '/v1/events/1/stats?limit=1'],
] as const;

async function firstCursor(market: Market, path: string): Promise<string> {
  return encodeURIComponent((await market.get(path)).json.next_cursor);
}

const invalidCursor = {
  status: 400,
  json: {
    error: { type: 'invalid_request', code: 'invalid_cursor', param: 'starting_after' },
  },
};

describe.each(endpoints)('Common pagination rules: %s', (name, path) => {
  it('rule 1: has_more and next_cursor on every page, null on the last', async () => {
    const pages = await walk(marketWithPages(), path);
    expect(pages.map((page) => page.has_more)).toEqual([true, true, false]);
    expect(pages.map((page) => typeof page.next_cursor)).toEqual(['string', 'string', 'object']);
  });

  it('rule 1: a last page that is exactly full has no next one', async () => {
    const { json } = await marketWithPages().get(path.replace('limit=1', 'limit=3'));
    expect(json).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('rule 2: next_cursor is opaque and url-safe', async () => {
    const { json } = await marketWithPages().get(path);
    expect(json.next_cursor).toMatch(/^[\w-]{20,}$/);
  });

  it('rule 3: cursors expire after an hour', async () => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, path);
    market.pass(hourMs - 1);
    expect((await market.get(`${path}&starting_after=${cursor}`)).status).toBe(200);
    market.pass(1);
    expect(await market.get(`${path}&starting_after=${cursor}`)).toMatchObject(invalidCursor);
  });

  it('rule 4: first-page-only fields are on the first page only', async () => {
    const [first, second] = await walk(marketWithPages(), path);
    const only = Object.keys(first).filter((field) => !(field in second));
    const expected = {
      search: [],
      sales: ['total_count', 'sources'],
      listings: ['total_count', 'has_refreshed', 'last_refreshed_at'],
      stats: ['available_zones', 'total_count'],
    }[name];
    expect(only.sort()).toEqual([...expected].sort());
  });

  it('rule 5: an unknown or tampered cursor is rejected', async () => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, path);
    const flipped = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
    const cut = cursor.slice(0, -2);
    for (const bad of ['abc', flipped, cut, `${cursor}A`, `${cursor}=`, '%00', '🎟']) {
      const reply = await market.get(`${path}&starting_after=${encodeURIComponent(bad)}`);
      expect(reply, bad).toMatchObject(invalidCursor);
    }
  });

  it('rule 5: a cursor of another account is unknown', async () => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, path);
    const reply = await market.get(`${path}&starting_after=${cursor}`, market.keys.flat);
    expect(reply).toMatchObject(invalidCursor);
  });

  it('rule 5: a cursor stays valid when the limit changes', async () => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, path);
    const { json } = await market.get(
      `${path.replace('limit=1', 'limit=2')}&starting_after=${cursor}`,
    );
    expect(json.data).toHaveLength(2);
  });
});

describe('Common pagination rules, rule 5: scope', () => {
  it.each([
    ['another event', '/v1/events/1/sales?limit=1', '/v1/events/2/sales?limit=1'],
    ['another endpoint', '/v1/events/1/sales?limit=1', '/v1/events/1/listings?limit=1'],
    ['another endpoint', '/v1/events/1/listings?limit=1', '/v1/events/1/stats?limit=1'],
    ['another source', '/v1/events/1/sales?limit=1', '/v1/events/1/sales?limit=1&source=all'],
    [
      'another active',
      '/v1/events/1/listings?limit=1',
      '/v1/events/1/listings?limit=1&active=true',
    ],
    [
      'another form of the id',
      '/v1/events/1/sales?limit=1',
      '/v1/events/159000001/sales?limit=1&id_type=marketplace',
    ],
    [
      'another start_date',
      '/v1/events/1/stats?limit=1',
      '/v1/events/1/stats?limit=1&start_date=2026-01-01',
    ],
    ['another search', '/v1/events/search?limit=1', '/v1/events/search?limit=1&event_name=event'],
  ])('rejects a cursor from %s: %s at %s', async (_, from, to) => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, from);
    expect(await market.get(`${to}&starting_after=${cursor}`)).toMatchObject(invalidCursor);
  });

  it.each([
    [
      'source=sh is the default',
      '/v1/events/1/sales?limit=1',
      '/v1/events/1/sales?limit=1&source=sh',
    ],
    [
      'active empty is omitted',
      '/v1/events/1/listings?limit=1',
      '/v1/events/1/listings?limit=1&active=',
    ],
  ])('accepts the same filter spelt otherwise: %s', async (_, from, to) => {
    const market = marketWithPages();
    const cursor = await firstCursor(market, from);
    expect((await market.get(`${to}&starting_after=${cursor}`)).status).toBe(200);
  });
});

describe('Limits: page sizes', () => {
  it.each([
    ['/v1/events/1/sales', 200],
    ['/v1/events/1/listings', 1000],
    ['/v1/events/1/stats', 200],
    ['/v1/events/search', 200],
  ])('%s takes 1 to %i and refuses the rest, free', async (path, max) => {
    const market = marketWithPages();
    const before = market.balance('operator');
    for (const bad of ['0', '-1', String(max + 1), '1.5', 'abc', '', ' 5', '1e2', '0x10']) {
      const reply = await market.get(
        `${path}?limit=${encodeURIComponent(bad)}`,
        market.keys.operator,
      );
      expect(reply, bad).toMatchObject({
        status: 400,
        json: { error: { type: 'invalid_request', code: 'invalid_param', param: 'limit' } },
      });
    }
    expect(market.balance('operator')).toBe(before);
    for (const good of ['1', String(max)]) {
      expect((await market.get(`${path}?limit=${good}`)).status).toBe(200);
    }
  });

  it('defaults: 100 sales, 500 listings, 100 snapshots, 100 events', async () => {
    const market = openMarket();
    market.ingest.accept({ events: Array.from({ length: 120 }, (_, i) => anEvent(10 + i)) });
    market.list(Array.from({ length: 600 }, (_, i) => aListing(i + 1)));
    for (let i = 0; i < 120; i += 1) {
      market.pass(minuteMs);
      market.list([aListing(i + 1)]);
      market.sell({ listing_id: i + 1 });
    }
    const sizes = [];
    for (const path of ['1/sales', '1/listings', '1/stats', 'search']) {
      sizes.push((await market.get(`/v1/events/${path}`)).json.data.length);
    }
    expect(sizes).toEqual([100, 500, 100, 100]);
  });
});
