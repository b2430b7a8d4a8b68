import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { anEvent, dayMs, openMarket, venue } from './support/market.ts';

const path = '/v0.5/daily-csv/download';

const header =
  'event_id,event_name,event_date,event_time,tm_event_id,days_on_service,first_seen_date,venue_name,venue_city,venue_state,venue_country_code,venue_country,venue_lat,venue_lng,venue_slug,venue_tm_id,std_event_id,std_venue_id,performer,event_type,tour_name';

function marketWithCatalog() {
  const market = openMarket();
  market.ingest.accept({
    events: [
      anEvent(1, { event_name: 'A, "quoted"\nname', first_seen_date: '2026-11-01' }),
      anEvent(2, { first_seen_date: '2026-11-20', event_date: '2026-11-25' }),
      anEvent(3, {
        first_seen_date: '2026-11-26',
        venue: { ...venue, std_venue_id: 9, venue_name: 'O’Hall' },
      }),
    ],
  });
  return market;
}

const idsOf = (text: string) =>
  parse(text, { columns: true }).map((row) => (row as { event_id: string }).event_id);

describe('GET /v0.5/daily-csv/download', () => {
  it('is text/csv with one header row; without a date, the newest file', async () => {
    const reply = await marketWithCatalog().get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch('text/csv');
    expect(reply.text.split('\r\n')[0]).toBe(header);
    expect(idsOf(reply.text)).toEqual(['1', '3']);
  });

  it('quotes by RFC 4180', async () => {
    const { text } = await marketWithCatalog().get(path);
    expect(text).toContain('"A, ""quoted""\nname"');
    const [first] = parse(text, { columns: true });
    expect(first).toMatchObject({ event_name: 'A, "quoted"\nname', venue_lat: '40.75' });
  });

  it.each([
    ['20261127', ['1', '3']],
    ['20261125', ['2', '1']],
    ['20261119', ['1']],
  ])('date=%s is the catalog of that day', async (date, ids) => {
    const { text } = await marketWithCatalog().get(`${path}?date=${date}`);
    expect(idsOf(text)).toEqual(ids);
  });

  it.each([
    ['2026-11-27', 'Invalid date format. Use YYYYMMDD.'],
    ['20261131', 'Invalid date format. Use YYYYMMDD.'],
    ['2026112', 'Invalid date format. Use YYYYMMDD.'],
    ['20261128', 'Cannot request future dates.'],
    ['20261027', 'Cannot request dates older than 30 days.'],
  ])('date=%s is a plain-text 400: %s', async (date, text) => {
    expect(await marketWithCatalog().get(`${path}?date=${date}`)).toMatchObject({
      status: 400,
      text,
    });
  });

  it('30 days back is still served, and a day before the first event has no file', async () => {
    const market = marketWithCatalog();
    expect(await market.get(`${path}?date=20261028`)).toMatchObject({
      status: 404,
      json: { error: 'CSV file not found for requested date' },
    });
    market.pass(4 * dayMs);
    expect((await market.get(`${path}?date=20261101`)).status).toBe(200);
  });

  it('429 is JSON with retry_after', async () => {
    const market = openMarket({ rateLimits: { daily_csv: { limit: 0, window_seconds: 3600 } } });
    expect(await market.get(path)).toMatchObject({
      status: 429,
      json: { error: expect.any(String), retry_after: 3600 },
    });
  });
});
