import { describe, expect, it } from 'vitest';
import { salesFirstPageSchema } from '#shared/marketplace/contract.ts';
import { aListing, anEvent, minuteMs, openMarket, walk } from './support/market.ts';

/** Two `sh` and two `vs` sales, one of each at the same second. */
function marketWithTies() {
  const market = openMarket();
  market.list([aListing(1), aListing(2), aListing(3)]);
  market.list([aListing('a'), aListing('b')], { source: 'vs' });
  market.pass(minuteMs);
  market.sell({ listing_id: 1 });
  market.sell({ listing_id: 2 });
  market.list([aListing('b')], { source: 'vs' });
  market.pass(minuteMs);
  market.list([], { source: 'vs' });
  return market;
}

const idsOf = (page: { data: { listing_id: unknown }[] }) => page.data.map((row) => row.listing_id);

describe('GET /v1/events/{event_id}/sales', () => {
  it('rule 1: newest first, then id descending; equal times across sources put sh first', async () => {
    const market = marketWithTies();
    const { json } = await market.get('/v1/events/1/sales?source=all');
    expect(idsOf(json)).toEqual(['b', 2, 1, 'a']);
    expect(salesFirstPageSchema.safeParse(json).error).toBeUndefined();
  });

  it('rule 1: source=all merges both sources, also with one row per page', async () => {
    const pages = await walk(marketWithTies(), '/v1/events/1/sales?source=all&limit=1');
    expect(pages.flatMap(idsOf)).toEqual(['b', 2, 1, 'a']);
  });

  it('rule 2: omitted and sh are the same rows, vs only the second marketplace', async () => {
    const market = marketWithTies();
    const omitted = (await market.get('/v1/events/1/sales')).json;
    const sh = (await market.get('/v1/events/1/sales?source=sh')).json;
    const vs = (await market.get('/v1/events/1/sales?source=vs')).json;
    expect(idsOf(omitted)).toEqual([2, 1]);
    expect(sh).toEqual(omitted);
    expect(idsOf(vs)).toEqual(['b', 'a']);
  });

  it.each(['SH', 'both', '', 'sh,vs'])(
    'rule 3: source=%j is invalid_param, free',
    async (source) => {
      const market = marketWithTies();
      const reply = await market.get(`/v1/events/1/sales?source=${source}`, market.keys.lowBalance);
      expect(reply).toMatchObject({
        status: 400,
        json: { error: { type: 'invalid_request', code: 'invalid_param', param: 'source' } },
      });
      expect(market.balance('lowBalance')).toBe(5);
    },
  );

  it('rule 4: a first page with a sale costs one pull, pages with a cursor nothing', async () => {
    const market = marketWithTies();
    const pages = await walk(
      market,
      '/v1/events/1/sales?source=all&limit=1',
      market.keys.lowBalance,
    );
    expect(pages).toHaveLength(4);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('rule 4: every first page costs a pull, whatever the source', async () => {
    const market = marketWithTies();
    for (const source of ['sh', 'vs', 'all']) {
      await market.get(`/v1/events/1/sales?source=${source}`, market.keys.lowBalance);
    }
    expect(market.balance('lowBalance')).toBe(2);
  });

  it('rule 4: an event or a source without sales is free', async () => {
    const market = openMarket();
    expect((await market.get('/v1/events/1/sales', market.keys.lowBalance)).json).toMatchObject({
      data: [],
      total_count: 0,
      has_more: false,
    });
    market.list([aListing(1)]);
    market.sell({ listing_id: 1 });
    await market.get('/v1/events/1/sales?source=vs', market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(5);
  });

  it('rule 5: a walk has one source, and total_count counts its rows', async () => {
    const market = marketWithTies();
    for (const [source, total] of [
      ['sh', 2],
      ['vs', 2],
      ['all', 4],
    ] as const) {
      const { json } = await market.get(`/v1/events/1/sales?source=${source}`);
      expect(json.total_count).toBe(total);
    }
  });

  it('rule 6: a non-integer event id is a plain HTTP 404 page for any caller', async () => {
    const market = openMarket();
    for (const id of ['abc', '1.5', '-1', '1e3', '%20']) {
      const reply = await market.get(`/v1/events/${id}/sales`, 'nobody');
      expect(reply.status, id).toBe(404);
      expect(reply.headers.get('content-type')).toMatch('text/html');
      expect(reply.json).toBeNull();
    }
  });

  it.each([
    ['/v1/events/999/sales'],
    ['/v1/events/1/sales?id_type=marketplace'],
    ['/v1/events/99999999999999999999/sales'],
  ])('rule 6: %s is 404 event_not_found', async (path) => {
    expect(await openMarket().get(path)).toMatchObject({
      status: 404,
      json: { error: { type: 'not_found', code: 'event_not_found' } },
    });
  });

  it('rule 6: a bad id_type is invalid_param', async () => {
    expect(await openMarket().get('/v1/events/1/sales?id_type=service')).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'id_type' } },
    });
  });

  it('event_id echoes the path value, of either kind', async () => {
    const market = openMarket();
    expect((await market.get('/v1/events/1/sales')).json.event_id).toBe(1);
    const { json } = await market.get('/v1/events/159000001/sales?id_type=marketplace');
    expect(json.event_id).toBe(159_000_001);
  });
});

describe('Source status entry', () => {
  it('has two entries, sh first, whatever source was requested', async () => {
    const market = marketWithTies();
    for (const source of ['sh', 'vs', 'all']) {
      const { json } = await market.get(`/v1/events/1/sales?source=${source}`);
      expect(json.sources).toEqual([
        { source: 'sh', collecting_since: '2026-11-27', tracked_for_event: true, status: 'ok' },
        { source: 'vs', collecting_since: '2026-11-27', tracked_for_event: true, status: 'ok' },
      ]);
    }
  });

  it('collecting_since is null for a marketplace that never had the event', async () => {
    const market = openMarket();
    market.ingest.accept({ events: [anEvent(2, { vs_event_id: null })] });
    const { json } = await market.get('/v1/events/2/sales');
    expect(json.sources).toEqual([
      { source: 'sh', collecting_since: null, tracked_for_event: true, status: 'ok' },
      { source: 'vs', collecting_since: null, tracked_for_event: false, status: 'ok' },
    ]);
  });

  it('an unavailable marketplace leaves the rows of the other, and recovers', async () => {
    const market = marketWithTies();
    const setStatus = (status: string) =>
      market.ask(
        '/operator/sources/vs',
        { method: 'PUT', body: JSON.stringify({ status }) },
        market.keys.operator,
      );
    await setStatus('unavailable');
    const { status, json } = await market.get('/v1/events/1/sales?source=all');
    expect(status).toBe(200);
    expect(idsOf(json)).toEqual([2, 1]);
    expect(json).toMatchObject({
      total_count: 2,
      sources: [{ status: 'ok' }, { source: 'vs', status: 'unavailable', collecting_since: null }],
    });
    await setStatus('ok');
    expect((await market.get('/v1/events/1/sales?source=all')).json.total_count).toBe(4);
  });
});

describe('GET /v0.3/salesdata/get', () => {
  it.each(['v0.1', 'v0.2', 'v0.3'])('%s: a bare array, always with gzip', async (version) => {
    const market = marketWithTies();
    const reply = await market.ask(`/${version}/salesdata/get?event_id=1`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(reply.json).toHaveLength(2);
  });

  it('takes the marketplace id as event_id_sh', async () => {
    const { json } = await marketWithTies().get('/v0.3/salesdata/get?event_id_sh=159000001');
    expect(json).toHaveLength(2);
  });

  it('costs one pull per call, and nothing without sales', async () => {
    const market = marketWithTies();
    market.ingest.accept({ events: [anEvent(2)] });
    await market.get('/v0.3/salesdata/get?event_id=1', market.keys.lowBalance);
    await market.get('/v0.3/salesdata/get?event_id=2', market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it.each([
    ['neither id', '', 400],
    ['both ids', '?event_id=1&event_id_sh=159000001', 400],
    ['an id that is no integer', '?event_id=abc', 400],
    ['an unknown event', '?event_id=999', 400],
  ])('errors are plain text, gzip too: %s', async (_, query, status) => {
    const reply = await openMarket().get(`/v0.3/salesdata/get${query}`);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toMatch('text/plain');
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(reply.json).toBeNull();
    expect(reply.text.length).toBeGreaterThan(5);
  });
});
