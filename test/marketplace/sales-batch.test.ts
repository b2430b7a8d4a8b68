import { describe, expect, it } from 'vitest';
import { legacySalesBatchSchema, salesBatchSchema } from '#shared/marketplace/contract.ts';
import { aListing, anEvent, minuteMs, openMarket } from './support/market.ts';

const path = '/v1/events/sales/batch';

/** Events 1 to 9 with a sale each, event 10 without. */
function marketWithNineSales() {
  const market = openMarket();
  market.ingest.accept({ events: Array.from({ length: 10 }, (_, i) => anEvent(i + 1)) });
  for (let id = 1; id <= 9; id += 1) {
    market.list([aListing(id)], { event_id: id });
    market.list([aListing('v')], { event_id: id, source: 'vs' });
  }
  market.pass(minuteMs);
  for (let id = 1; id <= 9; id += 1) {
    market.sell({ event_id: id, listing_id: id });
    market.list([], { event_id: id, source: 'vs' });
  }
  return market;
}

const range = (from: number, length: number) => Array.from({ length }, (_, i) => from + i);

describe('POST /v1/events/sales/batch', () => {
  it('answers results, errors and sources by the id as sent', async () => {
    const { status, json } = await marketWithNineSales().post(path, { event_ids: [1, 10] });
    expect(status).toBe(200);
    expect(salesBatchSchema.safeParse(json).error).toBeUndefined();
    expect(json.results['1']).toMatchObject([{ listing_id: 1, source: 'sh' }]);
    expect(json.results['10']).toEqual([]);
    expect(Object.keys(json.sources)).toEqual(['1', '10']);
    expect(json.sources['1'].map((entry: { source: string }) => entry.source)).toEqual([
      'sh',
      'vs',
    ]);
  });

  it.each([path, '/v0.3/salesdata/batch'])(
    'rule 2: an id of two events is refused before any charge: %s',
    async (route) => {
      const market = marketWithNineSales();
      market.ingest.accept({ events: [anEvent(11, { sh_event_id: 4 })] });
      const body = { event_ids: [4], event_ids_sh: ['4'] };
      const reply = await market.post(route, body, market.keys.lowBalance);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('4 is in both lists and names two events');
      expect(market.balance('lowBalance')).toBe(5);
    },
  );

  it('rule 2: an id of one event in both lists is answered and charged once', async () => {
    const market = marketWithNineSales();
    market.ingest.accept({ events: [anEvent(4, { sh_event_id: 4 })] });
    const body = { event_ids: [4], event_ids_sh: [4] };
    const { json } = await market.post(path, body, market.keys.lowBalance);
    expect(Object.keys(json.results)).toEqual(['4']);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('source is a query parameter, never a body field', async () => {
    const market = marketWithNineSales();
    const all = await market.post(`${path}?source=all`, { event_ids: [1] });
    expect(all.json.results['1']).toHaveLength(2);
    const body = await market.post(path, { event_ids: [1], source: 'all' });
    expect(body.json.results['1']).toHaveLength(1);
  });

  it('rule 1: at most 100 events, counted over both lists after deduplication', async () => {
    const market = openMarket();
    const full = { event_ids: [...range(1, 60), 5, '5'], event_ids_sh: [...range(1, 40), 7] };
    expect((await market.post(path, full)).status).toBe(200);
    const over = { event_ids: range(1, 60), event_ids_sh: range(1, 41) };
    expect(await market.post(path, over)).toMatchObject({
      status: 400,
      json: { error: { type: 'invalid_request', code: 'invalid_param', param: 'event_ids' } },
    });
  });

  it('rule 2: an event requested by both ids is answered under both keys and charged once', async () => {
    const market = marketWithNineSales();
    const body = { event_ids: [1], event_ids_sh: [159_000_001] };
    const { json } = await market.post(path, body, market.keys.lowBalance);
    expect(Object.keys(json.results)).toEqual(['1', '159000001']);
    expect(json.results['159000001']).toEqual(json.results['1']);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('rule 2: takes ids as integers or digit strings and keys by the decimal', async () => {
    const market = marketWithNineSales();
    const { json } = await market.post(path, { event_ids: ['1', 2], event_ids_sh: ['159000003'] });
    expect(Object.keys(json.results)).toEqual(['1', '2', '159000003']);
  });

  it('rule 3: all rows come at once, whatever limit is sent', async () => {
    const market = openMarket();
    market.list(range(1, 250).map((id) => aListing(id)));
    for (const id of range(1, 250)) market.sell({ listing_id: id });
    const { json } = await market.post(`${path}?limit=1`, { event_ids: [1] });
    expect(json.results['1']).toHaveLength(250);
  });

  it('rule 4: a pull per event with a sale, none for one without', async () => {
    const market = marketWithNineSales();
    await market.post(path, { event_ids: [1, 2, 10] }, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(3);
  });

  it('rule 5: serves and charges events up to the balance, and withholds the rest', async () => {
    const market = marketWithNineSales();
    const body = { event_ids: [1, 2, 3, 4], event_ids_sh: range(159_000_005, 4) };
    const { status, json } = await market.post(path, body, market.keys.lowBalance);
    expect(status).toBe(200);
    expect(Object.keys(json.results)).toEqual(['1', '2', '3', '4', '159000005']);
    expect(Object.keys(json.sources)).toEqual(['1', '2', '3', '4', '159000005']);
    expect(json.errors).toEqual({
      159000006: 'payment_required',
      159000007: 'payment_required',
      159000008: 'payment_required',
    });
    expect(market.balance('lowBalance')).toBe(0);
  });

  it('rule 5: an event without sales is served even without a balance', async () => {
    const market = marketWithNineSales();
    const body = { event_ids: [1, 2, 3, 4, 5, 6, 10] };
    const { json } = await market.post(path, body, market.keys.lowBalance);
    expect(json.errors).toEqual({ 6: 'payment_required' });
    expect(json.results['10']).toEqual([]);
  });

  it('rule 5: 402 and no data when no event is affordable', async () => {
    const market = marketWithNineSales();
    await market.post(path, { event_ids: [1, 2, 3, 4, 5] }, market.keys.lowBalance);
    const reply = await market.post(path, { event_ids: [6, 7] }, market.keys.lowBalance);
    expect(reply).toMatchObject({
      status: 402,
      json: { error: 'payment_required', code: 'insufficient_balance', balance: 0, required: 2 },
    });
    expect(reply.json).not.toHaveProperty('results');
  });

  it('an unknown id of either kind is not_found beside the others', async () => {
    const market = marketWithNineSales();
    const { json } = await market.post(path, { event_ids: [999, 1], event_ids_sh: [888] });
    expect(json.errors).toEqual({ 888: 'not_found', 999: 'not_found' });
    expect(Object.keys(json.results)).toEqual(['1']);
  });

  it('rule 6: an invalid source is invalid_param with param source, free', async () => {
    const market = marketWithNineSales();
    const reply = await market.post(`${path}?source=x`, { event_ids: [1] }, market.keys.lowBalance);
    expect(reply).toMatchObject({ status: 400, json: { error: { param: 'source' } } });
    expect(market.balance('lowBalance')).toBe(5);
  });

  it.each([
    ['no JSON', 'nope'],
    ['an array', '[1]'],
    ['no lists', '{}'],
    ['empty lists', '{"event_ids":[],"event_ids_sh":[]}'],
    ['a boolean id', '{"event_ids":[true]}'],
    ['a fraction', '{"event_ids":[1.5]}'],
    ['a string that is no digits', '{"event_ids":["1a"]}'],
    ['full-width digits', '{"event_ids":["１"]}'],
    ['a number instead of a list', '{"event_ids":1}'],
    ['null', 'null'],
  ])('rule 6: a malformed body is invalid_param as JSON: %s', async (_, body) => {
    const market = marketWithNineSales();
    const reply = await market.ask(path, { method: 'POST', body });
    expect(reply).toMatchObject({
      status: 400,
      json: { error: { type: 'invalid_request', code: 'invalid_param' } },
    });
    const legacy = await market.ask('/v0.3/salesdata/batch', { method: 'POST', body });
    expect(legacy.status).toBe(400);
    expect(legacy.headers.get('content-type')).toMatch('text/plain');
  });
});

describe('POST /v0.3/salesdata/batch', () => {
  it('answers v0.3 rows without sources, gzip forced, billed as v1', async () => {
    const market = marketWithNineSales();
    const body = { event_ids: [1, 10, 999] };
    const reply = await market.post('/v0.3/salesdata/batch', body, market.keys.lowBalance);
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(legacySalesBatchSchema.safeParse(reply.json).error).toBeUndefined();
    expect(Object.keys(reply.json)).toEqual(['results', 'errors']);
    expect(Object.keys(reply.json.results['1'][0])).toEqual([
      'timestamp',
      'quantity',
      'price',
      'zone',
      'section',
      'row',
    ]);
    expect(reply.json.errors).toEqual({ 999: 'not_found' });
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('gives payment_required and 402 as v1 does', async () => {
    const market = marketWithNineSales();
    const first = await market.post(
      '/v0.3/salesdata/batch',
      { event_ids: range(1, 6) },
      market.keys.lowBalance,
    );
    expect(first.json.errors).toEqual({ 6: 'payment_required' });
    const second = await market.post(
      '/v0.3/salesdata/batch',
      { event_ids: [7] },
      market.keys.lowBalance,
    );
    expect(second).toMatchObject({ status: 402, json: { error: 'payment_required' } });
  });
});
