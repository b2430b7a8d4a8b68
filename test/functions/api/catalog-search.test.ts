// Finding events in the daily catalog of our own table: no call of the marketplace, few of the tables.
import { beforeEach, describe, expect, it } from 'vitest';
import { createLookUpEvent } from '#functions/api/events/look-up-event.ts';
import { createCatalogSearch } from '#functions/api/events/search-catalog.ts';
import { createSearchEvents } from '#functions/api/events/search-events.ts';
import { type CatalogEntry, readCatalogRow } from '#shared/watchlist/catalog.ts';
import { type Api, startApi, startMs, watchBody } from '#test/support/api.ts';

const hourMs = 3_600_000;
let api: Api;
let calls: number;
let reads: number;

const row = (event_id: number, event_date: string, also: Record<string, string> = {}) =>
  readCatalogRow({
    ...{ event_id: String(event_id), event_name: `Knicks, game ${event_id}`, event_date },
    ...{ event_time: '19:30', venue_name: 'Madison Square Garden', venue_city: 'New York' },
    ...{ venue_lat: '40.75', venue_lng: '-73.99', performer: 'New York Knicks', ...also },
  }) as CatalogEntry;

const entries = [
  row(3, '2026-12-25'),
  row(1, '2026-12-02', { event_name: 'Cleveland Cavaliers at New York Knicks' }),
  row(2, '2026-12-02', { event_time: '13:00' }),
  row(4, '2026-02-27'),
  row(5, '2027-05-02', { event_name: 'Beyonce\u0301', performer: 'Beyoncé', venue_name: '' }),
];

beforeEach(async () => {
  [calls, reads] = [0, 0];
  const readMarketplace = async () => {
    calls += 1;
    throw new Error('the marketplace is not asked');
  };
  const deps = () => {
    const { current, read } = api.stores.catalog;
    const counted = {
      current,
      read: (version: Parameters<typeof read>[0]) => {
        reads += 1;
        return read(version);
      },
    };
    const now = () => api.clock.now;
    const catalog = createCatalogSearch(counted, now);
    return { ...api, catalog, readMarketplace, now, pullCaps: { daily: 5, monthly: 5 } };
  };
  let kept: ReturnType<typeof deps> | undefined;
  let search: ReturnType<typeof createSearchEvents> | undefined;
  const depsOnce = () => {
    kept ??= deps();
    return kept;
  };
  api = await startApi({
    searchEvents: (wanted) => {
      search ??= createSearchEvents(depsOnce());
      return search(wanted);
    },
    lookUpEvent: (...wanted) => createLookUpEvent(depsOnce())(...wanted),
  });
  return () => api.stop();
});

const find = async (query: string) => {
  const { body } = await api.call(`/v1/events?${query}`);
  return body.data.map(({ event_id }: { event_id: number }) => event_id);
};

describe('GET /v1/events with a catalog', () => {
  beforeEach(() => api.stores.catalog.write(entries, startMs - hourMs));

  it.each([
    ['', [2, 1, 3, 5]],
    ['query=knicks%20dec%202', [2, 1]],
    ['query=new%20york', [2, 1, 3, 5]],
    ['query=beyonce', [5]],
    ['performer=cavaliers&venue=garden', [1]],
    ['from=2026-12-03&to=2026-12-31', [3]],
  ])('finds future events by date: %s', async (query, found) => {
    expect(await find(query)).toEqual(found);
    expect(calls).toBe(0);
  });

  it('says where it looked and when that was read', async () => {
    expect((await api.call('/v1/events?query=cavaliers')).body).toMatchObject({
      ...{ source: 'catalog', read_at: '2026-03-01T11:00:00.000Z', has_more: false },
      data: [{ event_id: 1, event_date: '2026-12-02', event_time: '19:30', venue_state: null }],
    });
  });

  it('comes in pages that reach every event once', async () => {
    const found: number[] = [];
    let cursor = '';
    do {
      const { body } = await api.call(`/v1/events?limit=1${cursor}`);
      found.push(...body.data.map(({ event_id }: { event_id: number }) => event_id));
      cursor = body.has_more ? `&starting_after=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(found).toEqual([2, 1, 3, 5]);
  });

  it('reads a catalog once, and a newer one within a minute', async () => {
    for (const query of ['query=knicks', 'query=beyonce', '']) await find(query);
    expect(reads).toBe(1);
    await api.stores.catalog.write([row(9, '2026-08-01')], startMs);
    api.clock.now += 60_000;
    expect(await find('')).toEqual([9]);
    expect(reads).toBe(2);
  });

  it('asks the marketplace again when the catalog is older than two days', async () => {
    api.clock.now += 48 * hourMs;
    expect((await api.call('/v1/events?query=knicks')).status).toBe(500);
    expect(calls).toBe(1);
  });

  it('makes a watch on an event of the catalog for free, by its name', async () => {
    const { status, body } = await api.call('/v1/watches', {
      body: watchBody(api, { event_id: 1 }),
    });
    expect([status, body.event_name, body.event_date]).toEqual([
      201,
      'Cleveland Cavaliers at New York Knicks',
      '2026-12-02',
    ]);
    expect(await api.stores.eventFacts.find(1)).toMatchObject({ timeZone: 'America/New_York' });
    expect(calls).toBe(0);
  });
});

describe('a stored catalog', () => {
  it('keeps 9,000 events in three parts, in the order of their dates', async () => {
    const many = Array.from({ length: 9_000 }, (_, n) => row(9_000 - n, '2026-06-01'));
    expect(await api.stores.catalog.write(many, startMs)).toBe(9_000);
    const current = await api.stores.catalog.current();
    expect(current).toMatchObject({ version: startMs, parts: 3, events: 9_000 });
    const read = current && (await api.stores.catalog.read(current));
    expect(read?.map(({ event_id }) => event_id)).toEqual(many.map((_, n) => n + 1));
  });

  it('is replaced by a newer one only', async () => {
    const { catalog } = api.stores;
    await catalog.write([row(1, '2026-06-01')], startMs);
    expect(await catalog.write([row(2, '2026-06-01')], startMs - 1)).toBe(0);
    expect(await catalog.current()).toMatchObject({ version: startMs, events: 1 });
  });

  it('counts as missing while a part of it is missing', async () => {
    const { catalog } = api.stores;
    expect(await catalog.read({ version: 7, parts: 1, events: 1 })).toBeUndefined();
  });
});

it.each([
  [{ event_id: 'x', event_name: 'a', event_date: '2026-06-01' }],
  [{ event_id: '1', event_name: '', event_date: '2026-06-01' }],
  [{ event_id: '1', event_name: 'a', event_date: 'soon' }],
])('a row that names no event is left out: %j', (cells) => {
  expect(readCatalogRow(cells)).toBeUndefined();
});
