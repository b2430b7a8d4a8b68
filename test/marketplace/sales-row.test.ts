import { describe, expect, it } from 'vitest';
import { aListing, anEvent, minuteMs, openMarket } from './support/market.ts';

/** One `sh` sale and one inferred `vs` sale of the same seats. */
function marketWithBothSales() {
  const market = openMarket();
  market.list([aListing(13_000_000_001), aListing(13_000_000_002)]);
  market.list([aListing('VB-1', { zone: '', section: 'Lower Bowl 101', all_in_price: 127 })], {
    source: 'vs',
  });
  market.pass(minuteMs);
  market.sell({ listing_id: 13_000_000_001 });
  market.list([], { source: 'vs' });
  return market;
}

describe('Sales row', () => {
  it('rule 1: v0.3 rows have only timestamp, quantity, price, zone, section, row', async () => {
    const market = marketWithBothSales();
    const { json } = await market.get('/v0.3/salesdata/get?event_id=1');
    expect(json).toEqual([
      {
        timestamp: 1795780860,
        quantity: 2,
        price: 100,
        zone: 'Lower Bowl',
        section: '101',
        row: '5',
      },
    ]);
  });

  it('rule 2: takes the quantity and price that an sh sale lacks from the stored listing', async () => {
    const market = openMarket();
    market.list([aListing(7, { quantity: 4, price: 81.5 })]);
    market.pass(minuteMs);
    market.sell({ listing_id: 7 });
    const { json } = await market.get('/v1/events/1/sales');
    expect(json.data).toMatchObject([{ quantity: 4, price: 81.5, section: '101', listing_id: 7 }]);
  });

  it('rule 2: keeps what the sale itself reported', async () => {
    const market = openMarket();
    market.list([aListing(7, { quantity: 4, price: 81.5 })]);
    market.pass(minuteMs);
    market.sell({ listing_id: 7, quantity: 2, price: 79.25, row: '6' });
    const { json } = await market.get('/v1/events/1/sales');
    expect(json.data).toMatchObject([{ quantity: 2, price: 79.25, section: '101', row: '6' }]);
  });

  it('rule 2: for a reused listing id, uses the row that had the id at the time of the sale', async () => {
    const market = openMarket();
    market.list([aListing(7, { section: '101', price: 50 })]);
    market.pass(10 * minuteMs);
    market.list([aListing(7, { section: '220', price: 90 })]);
    market.sell({ listing_id: 7, sold_at: '2026-11-27T12:05:00Z' });
    market.sell({ listing_id: 7, sold_at: '2026-11-27T12:15:00Z' });
    const { json } = await market.get('/v1/events/1/sales');
    expect(json.data).toMatchObject([
      { section: '220', price: 90 },
      { section: '101', price: 50 },
    ]);
  });

  it('an unknown quantity is 0; a sale without known seats or price is never returned or counted', async () => {
    const market = openMarket();
    market.sell({ listing_id: 8, price: 60, section: '101', sold_at: '2026-11-27T11:00:00Z' });
    market.sell({ listing_id: 9, price: 60, sold_at: '2026-11-20T11:00:00Z' });
    market.sell({ listing_id: 10, section: '101', sold_at: '2026-11-21T11:00:00Z' });
    const { json } = await market.get('/v1/events/1/sales');
    expect(json.data).toMatchObject([{ quantity: 0, price: 60, listing_id: 8 }]);
    expect(json.total_count).toBe(1);
    expect(json.sources[0].collecting_since).toBe('2026-11-20');
  });

  it('rule 3: vs sales are inferred from vanished listings, as a lower bound', async () => {
    const market = openMarket();
    const seats = (section: string) => ({ zone: '', section: `Lower Bowl ${section}` });
    market.list(
      [
        aListing('gone', seats('101')),
        aListing('partly', { ...seats('102'), quantity: 6 }),
        aListing('moved', seats('103')),
        aListing('stays', seats('104')),
      ],
      { source: 'vs' },
    );
    market.pass(minuteMs);
    const second = market.list(
      [
        aListing('partly', { ...seats('102'), quantity: 4 }),
        aListing('moved-again', seats('103')),
        aListing('stays', seats('104')),
      ],
      { source: 'vs' },
    );
    expect(second.salesInferred).toBe(2);
    const { json } = await market.get('/v1/events/1/sales?source=vs');
    expect(
      json.data.map((row: { listing_id: string; quantity: number }) => [
        row.listing_id,
        row.quantity,
      ]),
    ).toEqual([
      ['partly', 2],
      ['gone', 2],
    ]);
  });

  it('rule 3: a vs listing that comes back was not sold', async () => {
    const market = openMarket();
    const listing = aListing('VB-1', { zone: '', section: 'Lower Bowl 101' });
    market.list([listing], { source: 'vs' });
    market.pass(minuteMs);
    market.list([], { source: 'vs' });
    expect((await market.get('/v1/events/1/sales?source=vs')).json.total_count).toBe(1);
    market.pass(minuteMs);
    market.list([listing], { source: 'vs' });
    expect((await market.get('/v1/events/1/sales?source=vs')).json.total_count).toBe(0);
  });

  it('rule 3: nothing is inferred once the event has begun', async () => {
    const market = openMarket();
    market.list([aListing('VB-1')], { source: 'vs' });
    market.clock.at = Date.parse('2026-12-24T19:30:00Z');
    expect(market.list([], { source: 'vs' }).salesInferred).toBe(0);
  });

  it("rule 4: norm_zone and norm_section use sh's names, and only vs rows have them", async () => {
    const market = marketWithBothSales();
    const { json } = await market.get('/v1/events/1/sales?source=all');
    const [sh, vs] = json.data;
    expect(vs).toMatchObject({
      source: 'vs',
      zone: '',
      section: 'Lower Bowl 101',
      norm_zone: 'Lower Bowl',
      norm_section: '101',
    });
    expect(sh).not.toHaveProperty('norm_zone');
    expect(sh).not.toHaveProperty('norm_section');
  });

  it.each([
    ['an unknown section', 'Lower Bowl 999'],
    ['a section of two zones without its zone', '101'],
    ['a zone that sh does not have', 'Balcony 101'],
  ])('rule 4: norm_* are both empty for %s', async (_, section) => {
    const market = openMarket();
    market.list([aListing(1), aListing(2, { zone: 'Club' })]);
    market.list([aListing('VB-1', { zone: '', section })], { source: 'vs' });
    market.pass(minuteMs);
    market.list([], { source: 'vs' });
    const { json } = await market.get('/v1/events/1/sales?source=vs');
    expect(json.data).toMatchObject([{ section, norm_zone: '', norm_section: '' }]);
  });

  it('rule 4: names from one event of a venue are used for its other events', async () => {
    const market = openMarket();
    market.ingest.accept({ events: [anEvent(2)] });
    market.list([aListing(1)]);
    market.list([aListing('VB-1', { zone: '', section: 'Section 101' })], {
      source: 'vs',
      event_id: 2,
    });
    market.pass(minuteMs);
    market.list([], { source: 'vs', event_id: 2 });
    const { json } = await market.get('/v1/events/2/sales?source=vs');
    expect(json.data).toMatchObject([{ norm_zone: 'Lower Bowl', norm_section: '101' }]);
  });

  it('rule 5: listing_id is an integer on sh rows and a string on vs rows, even one of digits', async () => {
    const market = openMarket();
    market.list([aListing(13_000_000_001)]);
    market.list([aListing('4711')], { source: 'vs' });
    market.pass(minuteMs);
    market.sell({ listing_id: 13_000_000_001 });
    market.list([], { source: 'vs' });
    const { json } = await market.get('/v1/events/1/sales?source=all');
    expect(json.data.map((row: { listing_id: unknown }) => row.listing_id)).toEqual([
      13_000_000_001,
      '4711',
    ]);
  });

  it('all_in_price is null on sh rows and the shown price on vs rows', async () => {
    const { json } = await marketWithBothSales().get('/v1/events/1/sales?source=all');
    expect(json.data.map((row: { all_in_price: unknown }) => row.all_in_price)).toEqual([
      null,
      127,
    ]);
  });

  it('a sale reported twice is one sale', async () => {
    const market = openMarket();
    market.list([aListing(7)]);
    market.pass(minuteMs);
    market.sell({ listing_id: 7 });
    expect(market.sell({ listing_id: 7 })).toMatchObject({ sales: 0, ignored: 1 });
  });
});
