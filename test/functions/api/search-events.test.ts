// Search, against the marketplace itself: its few calls a minute are spent once on each question.
import { beforeEach, describe, expect, it } from 'vitest';
import { createSearchEvents } from '#functions/api/events/search-events.ts';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
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
    return createSearchEvents({ stores: api.stores, readMarketplace, now: read });
  };
  let instance: ReturnType<typeof createSearchEvents> | undefined;
  api = await startApi({
    searchEvents: (query) => {
      instance ??= newInstance();
      return instance(query);
    },
  });
  return () => api.stop();
});

const search = (query: string) => api.call(`/v1/events?query=${encodeURIComponent(query)}`);

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

  it('asks once in ten minutes, however the name is written and however many ask at once', async () => {
    await Promise.all(['knicks', 'Knicks', ' KNICKS '].map(search));
    clock.now += 10 * minuteMs - 1;
    await search('knicks');
    expect(asked).toEqual(['knicks']);
    clock.now += 1;
    await search('knicks');
    expect(asked).toEqual(['knicks', 'knicks']);
  });

  it('takes nothing newer away when it answers from memory', async () => {
    await search('knicks');
    const newer = { eventId: 4711, name: 'Knicks at Nets, put off', updatedAt: startMs + 1 };
    await api.stores.eventFacts.keep(newer);
    clock.now += minuteMs;
    await search('knicks');
    expect(await api.stores.eventFacts.find(4711)).toEqual(newer);
  });

  it('never goes beyond the marketplace’s six a minute, over all instances', async () => {
    const other = newInstance();
    for (const word of ['a', 'b', 'c']) await search(word);
    for (const word of ['d', 'e', 'f']) await other(word);
    clock.now += 20_000;
    const { status, headers, body } = await search('g');
    expect([status, headers.get('retry-after'), body.type]).toEqual([
      503,
      '40',
      'urn:getin:problem:marketplace-unavailable',
    ]);
    expect(body.detail).toBe('The marketplace allows 6 searches in 60 s; try again in 40 s');
    expect((await search('a')).status).toBe(200);
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    clock.now += 40_000;
    expect((await search('g')).status).toBe(200);
  });

  it('keeps to another limit once the account has told it', async () => {
    await api.stores.marketState.change((state) => ({
      ...state,
      limits: { events_search: { limit: 1, windowSeconds: 60 } },
    }));
    expect([(await search('a')).status, (await search('b')).status]).toEqual([200, 503]);
  });

  it('says when the marketplace can’t be asked, and remembers no failure', async () => {
    isDown = true;
    const { status, body } = await search('knicks');
    expect([status, body.type]).toEqual([503, 'urn:getin:problem:marketplace-unavailable']);
    isDown = false;
    expect((await search('knicks')).status).toBe(200);
  });
});
