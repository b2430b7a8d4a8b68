// The marketplace's few searches a minute: spent once on each question, and shared by all owners.
import { beforeEach, describe, expect, it } from 'vitest';
import { createCatalogSearch } from '#functions/api/events/search-catalog.ts';
import { createSearchEvents } from '#functions/api/events/search-events.ts';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { readQuestion } from '#shared/watchlist/event-question.ts';
import { anEvent } from '#test/marketplace/support/market.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

const minuteMs = 60_000;

let api: Api;
let clock: { now: number };
let asked: string[];
let isDown: boolean;
let newInstance: () => ReturnType<typeof createSearchEvents>;

beforeEach(async () => {
  clock = { now: startMs };
  asked = [];
  isDown = false;
  const read = () => clock.now;
  const market = createMarketplace({ clocks: { real: read, market: read } });
  market.ingest.accept({
    events: [anEvent(4711, { event_name: 'Knicks at Nets' }), anEvent(12, { event_name: 'Rent' })],
  });
  const client = new MarketplaceClient({
    baseUrl: 'http://marketplace.example',
    apiKey: market.keys.main,
    clock: read,
    limits: { maxRetries: 0 },
    fetch: (async (input: string, init?: RequestInit) => {
      asked.push(new URL(input).searchParams.get('event_name') ?? '');
      if (isDown) return new Response('{}', { status: 503 });
      return market.fetch(new Request(input, init));
    }) as typeof fetch,
  });
  newInstance = () => {
    const readMarketplace = async () => client;
    const catalog = createCatalogSearch(api.stores.catalog, read);
    return createSearchEvents({ ...api, catalog, readMarketplace, now: read });
  };
  let instance: ReturnType<typeof createSearchEvents> | undefined;
  api = await startApi({
    searchEvents: (wanted) => {
      instance ??= newInstance();
      return instance(wanted);
    },
  });
  return () => api.stop();
});

const search = (query: string, { key } = api.ann) =>
  api.call(`/v1/events?query=${encodeURIComponent(query)}`, { key });

/** A search by performer takes one call, because no venue or city is asked for. */
const searchName = (performer: string, { key } = api.ann) =>
  api.call(`/v1/events?performer=${performer}`, { key });

/** Such a search as the route asks it. */
const wantedBy = (performer: string, ownerId: string) => ({
  ...{ question: readQuestion({ query: '', performer }), ownerId, limit: 50, now: clock.now },
});

describe('GET /v1/events', () => {
  it('finds events by a part of their name, and keeps what it learns of them', async () => {
    const { status, body } = await search('knicks');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ event_id: 4711, event_name: 'Knicks at Nets' }]);
    expect(await api.stores.eventFacts.find(4711)).toMatchObject({
      name: 'Knicks at Nets',
      updatedAt: startMs,
    });
  });

  it('answers although one row can not be kept, and reports that row', async () => {
    const faults: FaultReport[] = [];
    const stopListening = listenForFaults((report) => faults.push(report));
    const { keep } = api.stores.eventFacts;
    api.stores.eventFacts.keep = (facts) => {
      if (facts.eventId === 4711) throw new TypeError('odd');
      return keep(facts);
    };
    const { status, body } = await search('');
    stopListening();
    expect([status, body.data.length]).toEqual([200, 2]);
    expect(await api.stores.eventFacts.find(12)).toMatchObject({ name: 'Rent' });
    expect(faults).toMatchObject([{ thing: 'catalog_row', ids: { eventId: 4711 } }]);
  });

  it('asks once in ten minutes, however the name is written and however many ask at once', async () => {
    await Promise.all(['knicks', 'Knicks', ' KNICKS '].map((query) => search(query)));
    clock.now += 10 * minuteMs - 1;
    await search('knicks');
    expect(asked).toEqual(['knick']);
    clock.now += 1;
    await search('knicks');
    expect(asked).toEqual(['knick', 'knick']);
  });

  it('takes nothing newer away when it answers from memory', async () => {
    await search('knicks');
    const newer = { eventId: 4711, name: 'Knicks at Nets, put off', updatedAt: startMs + 1 };
    await api.stores.eventFacts.keep(newer);
    clock.now += minuteMs;
    await search('knicks');
    expect(await api.stores.eventFacts.find(4711)).toEqual(newer);
  });

  it('never goes beyond the marketplace’s six a minute, over all instances and owners', async () => {
    const other = newInstance();
    const owners = Array.from({ length: 8 }, (_, index) => `own_${index}`);
    const first = await Promise.allSettled(
      owners.map((ownerId) => other(wantedBy(ownerId.slice(4), ownerId))),
    );
    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(asked).toHaveLength(6);
    clock.now += 20_000;
    const { status, headers, body } = await searchName('g');
    expect([status, headers.get('retry-after'), body.type]).toEqual([
      503,
      '40',
      'urn:getin:problem:marketplace-unavailable',
    ]);
    expect(body.detail).toBe(
      'All searches of this window are used up: 6 in 60 s for all owners together; try again in 40 s',
    );
    expect(asked).toHaveLength(6);
    clock.now += 40_000;
    expect((await searchName('g')).status).toBe(200);
  });

  it('tells an owner who used up a share to wait, and answers all others', async () => {
    for (const word of ['a', 'b', 'c']) expect((await searchName(word)).status).toBe(200);
    clock.now += 20_000;
    const { status, headers, body } = await searchName('d');
    expect([status, headers.get('retry-after'), body.type]).toEqual([
      429,
      '40',
      'urn:getin:problem:rate-limited',
    ]);
    expect(body.detail).toBe(
      'Your share of the searches is used up: 3 of the 6 that all owners together can make in 60 s; try again in 40 s',
    );
    expect((await searchName('d', api.bob)).status).toBe(200);
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
    expect((await searchName('a')).status).toBe(200);
    expect((await searchName('d')).status).toBe(200);
    clock.now += 40_000;
    expect((await searchName('e')).status).toBe(200);
  });

  it('divides them between owners who all want more than there is', async () => {
    const words = 'abcdefghij'.split('');
    const people = [api.ann, api.bob];
    for (const word of words) {
      for (const [index, person] of people.entries()) await searchName(`${word}${index}`, person);
    }
    const counts = people.map((_, index) => asked.filter((word) => word.endsWith(`${index}`)));
    expect(counts.map(({ length }) => length)).toEqual([2, 2]);
    expect((await newInstance()(wantedBy('third', 'own_third'))).events.length).toBe(0);
  });

  it('does not refuse an owner for joining a search that another owner had no share left for', async () => {
    for (const word of ['a', 'b', 'c']) await searchName(word);
    const [greedy, other] = await Promise.all([searchName('d'), searchName('d', api.bob)]);
    expect([greedy.status, other.status]).toEqual([429, 200]);
  });

  it('keeps to another limit once the account has told it', async () => {
    await api.stores.marketState.change((state) => ({
      ...state,
      limits: { events_search: { limit: 1, windowSeconds: 60 } },
    }));
    const answers = [await searchName('a'), await searchName('b'), await searchName('c', api.bob)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 503]);
  });

  it('says when the marketplace can’t be asked, and remembers no failure', async () => {
    isDown = true;
    const { status, body } = await searchName('knicks');
    expect([status, body.type]).toEqual([503, 'urn:getin:problem:marketplace-unavailable']);
    isDown = false;
    expect((await searchName('knicks')).status).toBe(200);
  });
});
