// Finding events through the API, against the marketplace's own search.
import { beforeAll, describe, expect, it } from 'vitest';
import { createCatalogSearch } from '#functions/api/events/search-catalog.ts';
import { createSearchEvents, type SearchEvents } from '#functions/api/events/search-events.ts';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { anEvent, venue } from '#test/marketplace/support/market.ts';
import { type Api, startApi, startMs, statsAt } from '#test/support/api.ts';
import { storePolled } from '#test/support/polled-event.ts';

const barclays = {
  ...venue,
  ...{ std_venue_id: 702, venue_name: 'Barclays Center', venue_city: 'Brooklyn' },
  ...{ venue_slug: 'barclays-center', venue_tm_id: 'KovZ2' },
};

const catalog: [id: number, over: Record<string, unknown>][] = [
  [4711, { event_name: 'Cleveland Cavaliers at New York Knicks', event_date: '2026-12-02' }],
  [4712, { event_name: 'Boston Celtics at New York Knicks', event_date: '2026-12-25' }],
  [
    4713,
    { event_name: 'New York Knicks at Brooklyn Nets', event_date: '2026-12-20', venue: barclays },
  ],
  [
    4714,
    { event_name: 'Beyonce\u0301 — Renaissance', event_date: '2027-05-02', performer: 'Beyoncé' },
  ],
  [4715, { event_name: 'AC/DC', event_date: '2027-01-10', venue: barclays }],
  [4716, { event_name: 'Sigur Rós', event_date: '2027-12-02', venue: barclays }],
];

let api: Api;
let calls = 0;

beforeAll(async () => {
  const clock = { now: startMs };
  const read = () => clock.now;
  const market = createMarketplace({ clocks: { real: read, market: read } });
  market.ingest.accept({ events: catalog.map(([id, over]) => anEvent(id, over)) });
  const client = new MarketplaceClient({
    ...{ baseUrl: 'http://marketplace.example', apiKey: market.keys.main, clock: read },
    fetch: (async (input: string, init?: RequestInit) => {
      calls += 1;
      return market.fetch(new Request(input, init));
    }) as typeof fetch,
  });
  let search: SearchEvents | undefined;
  api = await startApi({
    searchEvents: (wanted) => {
      // A new minute has new calls.
      clock.now += 60_000;
      const catalog = createCatalogSearch(api.stores.catalog, read);
      const readMarketplace = async () => client;
      search ??= createSearchEvents({ ...api, catalog, readMarketplace, now: read });
      return search(wanted);
    },
  });
  return () => api.stop();
});

const find = async (query: Record<string, string>) => {
  const { status, body } = await api.call(`/v1/events?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body.data.map(({ event_id }: { event_id: number }) => event_id);
};

describe('words find an event', () => {
  it.each([
    ['Knicks 2026-12-02', [4711]],
    ['knicks dec 2', [4711]],
    ['2 December Knicks', [4711]],
    ['12/2 knicks', [4711]],
    ['dec 2nd, 2026 knicks', [4711]],
    ['Knicks Cavaliers', [4711]],
    ['cavaliers vs. knicks', [4711]],
    ['tickets for the Knicks at Madison Square Garden', [4711, 4712]],
    ['Madison Square Garden', [4711, 4712, 4714]],
    ['knicks dec', [4711, 4713, 4712]],
    ['knicks december 2026', [4711, 4713, 4712]],
    ['knicks barclays', [4713]],
    ['brooklyn jan', [4715]],
    ['dec 2', [4711]],
    ['dec 2 2027', [4716]],
    ['knicks jan', []],
    ['icks', []],
  ])('%s', async (query, found) => {
    expect(await find({ query })).toEqual(found);
  });

  it.each(['Beyoncé', 'beyonce\u0301', 'BEYONCE', 'renaissance beyoncé'])(
    'in any Unicode form and case: %s',
    async (query) => {
      expect(await find({ query })).toEqual([4714]);
    },
  );

  it.each([
    ['ac/dc', [4715]],
    ['AC DC', [4715]],
    ['sigur ros', [4716]],
  ])('however it is punctuated: %s', async (query, found) => {
    expect(await find({ query })).toEqual(found);
  });
});

describe('filters', () => {
  it.each([
    [{ venue: 'barclays center' }, [4713, 4715, 4716]],
    [{ venue: 'barclays', query: 'knicks' }, [4713]],
    [{ city: 'brooklyn', from: '2027-01-01' }, [4715, 4716]],
    [{ performer: 'beyonce' }, [4714]],
    [{ performer: 'knicks', from: '2026-12-03', to: '2026-12-24' }, [4713]],
    [{ from: '2026-12-25', to: '2026-12-25' }, [4712]],
    [{ date: '2026-12' }, [4711, 4713, 4712]],
    [{ date: '2026-12-25', query: 'knicks' }, [4712]],
    [{ date: '2027' }, [4715, 4714, 4716]],
  ])('%j', async (query, found) => {
    expect(await find(query as Record<string, string>)).toEqual(found);
  });

  it.each([
    ['date=12/2', '#/date', 'must be a date, month or year such as 2026-12-02, 2026-12, 2026'],
    ['date=2026-13-01', '#/date', 'must be a date, month or year that exists'],
    ['date=2026-13', '#/date', 'must be a date, month or year that exists'],
    ['from=2026-05-02&to=2026-05-01', '#/from', 'must not be after `to`'],
    ['from=yesterday', '#/from', 'must be a date such as 2026-03-01'],
    ['starting_after=bQ', '#/starting_after', 'is not a cursor of this list'],
  ])('%s is refused', async (query, pointer, detail) => {
    const { status, body } = await api.call(`/v1/events?${query}`);
    expect([status, body.errors]).toEqual([400, [{ pointer, detail }]]);
  });
});

describe('the answer', () => {
  it('comes in pages that reach every event once', async () => {
    const found: number[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const { body } = await api.call(`/v1/events?limit=2&query=new%20york${cursor}`);
      found.push(...body.data.map(({ event_id }: { event_id: number }) => event_id));
      if (!body.has_more) break;
      cursor = `&starting_after=${body.next_cursor}`;
    }
    expect(found).toEqual([4711, 4713, 4712]);
  });

  it('has the newest stored price, and says where the events were looked for', async () => {
    await storePolled(api.stores, [statsAt(startMs - 60_000, 85.5)]);
    const { body } = await api.call('/v1/events?query=cavaliers');
    expect(body).toMatchObject({
      data: [
        {
          ...{ event_id: 4711, event_name: 'Cleveland Cavaliers at New York Knicks' },
          ...{ event_date: '2026-12-02', venue_name: 'Madison Square Garden' },
          ...{ get_in: 85.5, get_in_at: '2026-03-01T11:59:00.000Z' },
        },
      ],
      ...{ has_more: false, next_cursor: null, source: 'marketplace' },
      read_at: expect.stringMatching(/^2026-03-01T1/),
    });
  });

  it('costs the marketplace at most three calls', async () => {
    const before = calls;
    await find({ query: 'nothing that exists' });
    expect(calls - before).toBe(3);
  });
});
