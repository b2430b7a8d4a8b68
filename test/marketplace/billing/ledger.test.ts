import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aListing, anEvent, minuteMs, openMarket } from '../support/market.ts';

const sumOfLedger = `SELECT sum(l.amount) AS sum, a.balance FROM accounts a
  JOIN ledger l ON l.account_id = a.id WHERE a.key_name = ?`;

/** Ten events that each cost a pull on sales, listings and stats. */
function marketWithTenEvents(db?: string) {
  const market = openMarket(db === undefined ? {} : { db });
  market.ingest.accept({ events: Array.from({ length: 10 }, (_, i) => anEvent(i + 1)) });
  for (let id = 1; id <= 10; id += 1) market.list([aListing(id)], { event_id: id });
  market.pass(minuteMs);
  for (let id = 1; id <= 10; id += 1) market.sell({ event_id: id, listing_id: id });
  return market;
}

describe('ledger', () => {
  it('has a row with its reason for every charge', async () => {
    const market = marketWithTenEvents();
    await market.get('/v1/events/1/sales', market.keys.lowBalance);
    await market.get('/v1/events/2/listings', market.keys.lowBalance);
    await market.get('/v1/events/3/stats', market.keys.lowBalance);
    await market.post('/v1/events/sales/batch', { event_ids: [4] }, market.keys.lowBalance);
    const rows = market.store.all(
      `SELECT l.reason, l.kind, l.event_id, l.pulls, l.amount FROM ledger l
       JOIN accounts a ON a.id = l.account_id WHERE a.key_name = 'lowBalance' ORDER BY l.id`,
    );
    expect(rows.map((row) => Object.values(row as object))).toEqual([
      ['opening balance', null, null, 0, 5],
      ['sales of one event', 'salesdata', 1, 1, -1],
      ['listings refreshed', 'listings', 2, 1, -1],
      ['new snapshots', 'stats', 3, 1, -1],
      ['sales in a batch', 'salesdata', 4, 1, -1],
    ]);
  });

  it('the flat plan pays 0.015 a pull', async () => {
    const market = marketWithTenEvents();
    await market.get('/v1/events/1/sales', market.keys.flat);
    expect(market.balance('flat')).toBe(14_999_985);
  });

  it('concurrent requests neither overspend nor charge twice', async () => {
    const market = marketWithTenEvents();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        market.get(`/v1/events/${(i % 10) + 1}/stats`, market.keys.lowBalance),
      ),
    );
    expect(market.balance('lowBalance')).toBe(0);
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(20);
    const charges = market.store.all(
      `SELECT event_id, count(*) AS n FROM ledger WHERE kind = 'stats' GROUP BY event_id`,
    );
    expect(charges).toHaveLength(5);
    expect(charges.every((row) => (row as { n: number }).n === 1)).toBe(true);
  });

  it('a fault after the charge rolls the charge back', async () => {
    const market = marketWithTenEvents();
    market.store.run('DROP TABLE event_zones');
    expect((await market.get('/v1/events/1/stats', market.keys.lowBalance)).status).toBe(500);
    expect(market.balance('lowBalance')).toBe(5);
    expect(market.store.get(`SELECT count(*) AS n FROM paid`)).toEqual({ n: 0 });
  });

  it('balance = sum of the rows and never below 0, for any requests in any order', async () => {
    const request = fc.record({
      event: fc.integer({ min: 1, max: 10 }),
      what: fc.constantFrom('sales', 'listings', 'stats', 'refresh', 'batch'),
      key: fc.constantFrom('lowBalance' as const, 'quota' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const market = marketWithTenEvents();
        for (const { event, what, key } of requests) {
          if (what === 'refresh') market.list([aListing(event)], { event_id: event });
          else if (what === 'batch') {
            await market.post(
              '/v1/events/sales/batch',
              { event_ids: [event, 11 - event] },
              market.keys[key],
            );
          } else await market.get(`/v1/events/${event}/${what}`, market.keys[key]);
        }
        for (const key of ['lowBalance', 'quota']) {
          const row = market.store.get<{ sum: number; balance: number }>(sumOfLedger, key);
          expect(row?.balance).toBe(row?.sum);
          expect(row?.balance).toBeGreaterThanOrEqual(0);
        }
        market.close();
      }),
      { numRuns: 40 },
    );
  });
});
