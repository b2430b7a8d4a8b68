import { expect, it } from 'vitest';
import { aListing, anEvent, minuteMs, openMarket } from './support/market.ts';

/** An event with realistic ids, odd cents and both marketplaces, for requests to every route. */
async function textsOfAllRoutes(): Promise<Map<string, string>> {
  const market = openMarket();
  market.ingest.accept({ events: [anEvent(2)] });
  const seats = [80, 80.5, 79.99, 0.1, 1_234_567.89].map((price, index) =>
    aListing(14_000_000_001 + index, { price, row: `${index}` }),
  );
  market.list(seats);
  market.list([aListing('00123', { price: 90 }), aListing('VB-1')], { source: 'vs' });
  market.pass(minuteMs + 7);
  market.sell({ listing_id: 14_000_000_002 });
  market.list([aListing('VB-1')], { source: 'vs' });
  const texts = new Map<string, string>();
  const keep = async (path: string, body?: unknown) => {
    const reply = body === undefined ? await market.get(path) : await market.post(path, body);
    expect(reply.status, path).toBeLessThan(300);
    texts.set(path, reply.text);
    return reply;
  };
  for (const path of ['/v1/account', '/v1/usage', '/v1/events/search', '/v1/events/1/stats']) {
    await keep(path);
  }
  for (const path of ['/v1/events/1/sales?source=all', '/v1/events/1/listings']) await keep(path);
  for (const version of ['v0.1', 'v0.2', 'v0.3'])
    await keep(`/${version}/salesdata/get?event_id=1`);
  for (const version of ['v0.1', 'v0.1.1']) await keep(`/${version}/listings/get?event_id=1`);
  await keep('/v1/events/sales/batch?source=all', { event_ids: [1] });
  await keep('/v0.3/salesdata/batch', { event_ids: [1] });
  await keep('/v0.3.1/events/search', {});
  const job = await keep('/v0.4/events/event-request-add', { search_query: 'x' });
  await keep(`/v0.4/events/event-request-status/${job.json.job_id}/`);
  return texts;
}

const money = /^(price|avg_price|median_price|get_in|get_in_qty2plus|all_in_price)$/;
const fraction = /^(listing_fill_rate|venue_lat|venue_lng)$/;
const instant = /^(timestamp|\w+_at|period_\w+|billing_period_\w+)$/;

it('every number has its documented type on every route, and every instant has milliseconds', async () => {
  for (const [path, text] of await textsOfAllRoutes()) {
    for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":(-?[0-9][^,\]}]*)/g)) {
      const where = `${path} ${name} ${value}`;
      if (money.test(name)) expect(value, where).toMatch(/^\d+(\.\d?[1-9])?$/);
      else if (fraction.test(name)) expect(value, where).toMatch(/^-?\d+(\.\d+)?$/);
      else expect(value, where).toMatch(/^-?\d+$/);
    }
    for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":"([^"]*)"/g)) {
      if (!instant.test(name)) continue;
      expect(value, `${path} ${name}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  }
});

it('the keys of every row have the same order', async () => {
  for (const [path, text] of await textsOfAllRoutes()) {
    for (const list of ['data', 'listings']) {
      const rows: unknown = JSON.parse(text)[list];
      if (!Array.isArray(rows)) continue;
      const orders = rows.map((row) => `${row.source}:${Object.keys(row).join()}`);
      const bySource = new Map(orders.map((order) => [order.split(':', 1)[0], order]));
      for (const order of orders) expect(order, path).toBe(bySource.get(order.split(':', 1)[0]));
    }
  }
});
