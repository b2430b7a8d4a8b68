// Watches on unknown events are refused before they cost anything; known ones are named in every answer.
import { beforeEach, describe, expect, it } from 'vitest';
import { createLookUpEvent } from '#functions/api/events/look-up-event.ts';
import { createCatalogSearch } from '#functions/api/events/search-catalog.ts';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { anEvent } from '#test/marketplace/support/market.ts';
import { type Api, eventId, levelRule, startApi, startMs, watchBody } from '#test/support/api.ts';

let api: Api;
let asked: string[];
let caps: { daily: number; monthly: number };

beforeEach(async () => {
  asked = [];
  caps = { daily: 500, monthly: 10_000 };
  const clock = () => startMs;
  const market = createMarketplace({ clocks: { real: clock, market: clock } });
  market.ingest.accept({ events: [anEvent(eventId)] });
  const client = new MarketplaceClient({
    ...{ baseUrl: 'http://marketplace.example', apiKey: market.keys.main, clock },
    fetch: (async (input: string, init?: RequestInit) => {
      asked.push(new URL(input).pathname);
      return market.fetch(new Request(input, init));
    }) as typeof fetch,
  });
  api = await startApi({
    lookUpEvent: (...wanted) => {
      const readMarketplace = async () => client;
      const catalog = createCatalogSearch(api.stores.catalog, clock);
      const deps = { ...api, catalog, readMarketplace, pullCaps: caps };
      return createLookUpEvent(deps)(...wanted);
    },
  });
  return () => api.stop();
});

const create = (also: Record<string, unknown> = {}) =>
  api.call('/v1/watches', { body: watchBody(api, also) });

describe('POST /v1/watches', () => {
  it('refuses an event that the marketplace does not know, and makes no watch', async () => {
    const { status, body } = await create({ event_id: 99_999_999 });
    expect([status, body.type, body.detail]).toEqual([
      404,
      'urn:getin:problem:not-found',
      'The marketplace knows no event 99999999; find the event and its id with GET /v1/events',
    ]);
    expect(body.errors).toEqual([
      { pointer: '#/event_id', detail: 'is no event of the marketplace' },
    ]);
    expect((await api.call('/v1/watches')).body.data).toEqual([]);
    expect(await api.stores.feeds.find(99_999_999, 'stats')).toBeUndefined();
    expect(await api.stores.pulls.ofDay(ledgerDay(startMs))).toEqual([]);
  });

  it('asks the marketplace for an event once, and not for one that a search has found', async () => {
    expect((await create()).status).toBe(201);
    expect((await create({ name: 'another' })).status).toBe(201);
    expect(asked).toEqual([`/v1/events/${eventId}/stats`]);
    await api.stores.eventFacts.keep({ eventId: 12, name: 'Finals', updatedAt: 1 });
    expect((await create({ event_id: 12 })).status).toBe(201);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['a channel of somebody else', () => ({ channels: [api.bob.channelId] })],
    [
      'a rule that has expired',
      () => ({ rules: [{ ...levelRule(80), expires_at: '2020-01-01T00:00:00Z' }] }),
    ],
  ])('refuses %s before it asks', async (_fault, also) => {
    expect((await create({ event_id: 99_999_999, ...also() })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('says how to find the event for free when no pull may be spent', async () => {
    caps = { daily: 0, monthly: 0 };
    const { status, body } = await create();
    expect([status, body.detail]).toEqual([
      503,
      'The pull budget is used up, so this event_id can’t be checked now; find the event with GET /v1/events, which is free, or try again when the next budget period begins',
    ]);
    await api.stores.eventFacts.keep({ eventId, name: 'Finals', updatedAt: 1 });
    expect((await create()).status).toBe(201);
  });
});

describe('an event is named', () => {
  const named = { event_id: eventId, event_name: 'Finals', event_date: '2026-06-04' };

  beforeEach(async () => {
    const facts = { eventId, name: 'Finals', date: '2026-06-04', updatedAt: 1 };
    await api.stores.eventFacts.keep(facts);
  });

  it('in every answer about a watch', async () => {
    const created = await create();
    const path = `/v1/watches/${created.body.id}`;
    const headers = { 'if-match': '*' };
    const answers = [
      created.body,
      (await api.call(path)).body,
      (await api.call('/v1/watches')).body.data[0],
      (await api.call('/v1/watches?sort=closeness')).body.data[0],
      (await api.call(path, { method: 'PATCH', body: { name: 'Mine' }, headers })).body,
      (await api.call(`${path}/pause`, { method: 'POST' })).body,
    ];
    for (const answer of answers) expect(answer).toMatchObject(named);
  });

  it('and an unknown one is refused alone by an import', async () => {
    const watches = [eventId, 99_999_999].map((id) => watchBody(api, { event_id: id }));
    const { status, body } = await api.call('/v1/watchlist/import', { body: { watches } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ created: 1, refused: 1 },
      watches: [
        { line: 1, outcome: 'created' },
        {
          ...{ line: 2, outcome: 'refused' },
          detail: expect.stringContaining('The marketplace knows no event 99999999'),
        },
      ],
    });
  });

  it('in a preview', async () => {
    const { body } = await api.call('/v1/rules/preview', {
      body: { event_id: eventId, rule: levelRule(80) },
    });
    expect(body).toMatchObject(named);
  });
});
