// The budget by API: what people see of it, and that a marketplace id is looked up once and paid once.
import { beforeEach, describe, expect, it } from 'vitest';
import { createResolveEvent } from '#functions/api/events/resolve-event.ts';
import { createMarketplace, type Marketplace } from '#marketplace/marketplace.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { aListing, anEvent } from '#test/marketplace/support/market.ts';
import { type Api, adminKey, anyVersion, startApi, startMs } from '#test/support/api.ts';

const pullCaps = { daily: 20, monthly: 100 };
const level = { type: 'level', metric: 'get_in', at_or_below: 80 };

let api: Api;
let market: Marketplace;
let lookUps = 0;

beforeEach(async () => {
  const clock = () => startMs;
  market = createMarketplace({ clocks: { real: clock, market: clock } });
  market.ingest.accept({ events: [anEvent(4711)] });
  market.ingest.accept({
    listing_sets: [{ event_id: 4711, listings: [aListing(13_000_000_001)] }],
  });
  lookUps = 0;
  const client = new MarketplaceClient({
    baseUrl: 'http://marketplace.example',
    apiKey: market.keys.main,
    clock,
    fetch: (async (input: string, init?: RequestInit) => {
      lookUps += 1;
      return market.fetch(new Request(input, init));
    }) as typeof fetch,
  });
  api = await startApi({
    pullCaps,
    resolveEvent: (shEventId, ownerId, now) => {
      const readMarketplace = async () => client;
      const resolve = createResolveEvent({ stores: api.stores, readMarketplace, pullCaps });
      return resolve(shEventId, ownerId, now);
    },
  });
  return () => api.stop();
});

const patch = (body: unknown, headers: Record<string, string> = anyVersion) =>
  api.call('/v1/budget', { method: 'PATCH', body, key: adminKey, headers });
const budget = async () => (await api.call('/v1/budget', { key: adminKey })).body;

describe('GET /v1/budget', () => {
  it('shows caps, what is spent by event, and its money value', async () => {
    await api.stores.budget.reserve(
      { key: 'test_until_9999999999999', wanted: 3, caps: pullCaps },
      startMs,
    );
    await api.stores.budget.commitReservation('test_until_9999999999999', {
      reserved: 2,
      spent: 2,
    });
    for (const claim of ['a', 'b']) {
      await api.stores.pulls.create(
        pullOf({
          ...{ claim, eventId: 4711, kind: 'stats', pulls: 1, reason: 'data', state: 'settled' },
          ...{ pulledAt: startMs, watches: 1 },
        }),
      );
    }
    const body = await budget();

    expect(body.day).toMatchObject({ cap: 20, spent: 2, reserved: 1, left: 17, flat_value: 0.03 });
    expect(body.period).toMatchObject({ cap: 100, spent: 2 });
    expect(body.events).toMatchObject([{ event_id: 4711, spent_today: 2, spent_period: 2 }]);
  });

  it('shows the demand beyond the cap, which the forecast leaves out', async () => {
    await api.stores.subscriptions.add(
      { eventId: 4711, kind: 'stats', watchId: 'wat_1', ownerId: 'own_1', latencySeconds: 60 },
      startMs,
    );
    const { day } = await budget();
    // One pull a minute for the half of the day that is left.
    expect([day.cap, day.forecast, day.demand]).toEqual([20, 20, 720]);
  });

  it('forecasts turns no further apart than reconcile allows, whatever the price', async () => {
    await api.stores.subscriptions.add(
      { eventId: 4711, kind: 'stats', watchId: 'wat_1', ownerId: 'own_1', latencySeconds: 60 },
      startMs,
    );
    await api.stores.budget.current(startMs);
    const plan = { pullPrice: 1e9, learned: priorLearning };
    await api.stores.budget.setPlan(plan);
    const unbounded = (await budget()).day.forecast;
    await api.stores.budget.setPlan({ ...plan, longestMs: 2 * 3_600_000 });
    // Twelve hours of the day are left, one turn each two of them.
    expect([unbounded, (await budget()).day.forecast]).toEqual([1, 6]);
  });

  it.each([
    ['start', { startsAt: startMs + 2 * 3_600_000 }, 120],
    ['date', { date: '2026-03-01' }, 1_440],
  ])('ends the forecast of a watch just made at its event: by its %s', async (_, facts, demand) => {
    await api.stores.eventFacts.keep({ eventId: 4711, name: 'Game', updatedAt: startMs, ...facts });
    await api.stores.subscriptions.add(
      { eventId: 4711, kind: 'stats', watchId: 'wat_1', ownerId: 'own_1', latencySeconds: 60 },
      startMs,
    );
    const { period, events } = await budget();
    expect([period.demand, events[0].forecast_period]).toEqual([demand, demand]);
  });

  it('says which relaxation would save how much', async () => {
    await api.stores.subscriptions.add(
      { eventId: 4711, kind: 'stats', watchId: 'wat_1', ownerId: 'own_1', latencySeconds: 60 },
      startMs,
    );
    const { savings } = await budget();

    expect(savings[0]).toMatchObject({ event_id: 4711, feed: 'stats', latency_seconds: 900 });
    expect(savings[0].pulls_saved).toBeGreaterThan(1_000);
  });

  it('is the operator’s to see and to lower, never to raise', async () => {
    const set = (body: unknown) => patch(body);

    expect((await api.call('/v1/budget')).status).toBe(403);
    expect((await set({ daily_cap: 21 })).body.errors).toEqual([
      { pointer: '#/daily_cap', detail: "must be no more than the deployment's 20" },
    ]);
    expect((await set({ daily_cap: 5 })).body.day.cap).toBe(5);
    expect((await set({ daily_cap: null })).body.day.cap).toBe(20);
  });
});

describe('a watch that names the sh id', () => {
  const watchOf = (name: string, shEventId = 159_004_711) =>
    api.call('/v1/watches', {
      body: { sh_event_id: shEventId, name, rules: [level], channels: [api.ann.channelId] },
    });

  it('is one on the service event; the lookup is paid once and shown as its cost', async () => {
    const first = await watchOf('first');
    const second = await watchOf('second');
    const costOf = async (id: string) => (await api.call(`/v1/watches/${id}`)).body.cost;

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.event_id).toBe(4711);
    expect(lookUps).toBe(1);
    expect(await costOf(first.body.id)).toEqual({
      pulls: 1,
      by_feed: { listings: 1, stats: 0 },
    });
    expect(await costOf(second.body.id)).toMatchObject({ pulls: 0 });
    expect((await budget()).day.spent).toBe(1);
  });

  it('says so when there is no such event, and pays nothing', async () => {
    const answer = await watchOf('none', 1);

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { pointer: '#/sh_event_id', detail: 'is not an event of the marketplace' },
    ]);
    expect((await budget()).day).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('must not name both ids, nor none', async () => {
    const ask = (ids: object) =>
      api.call('/v1/watches', {
        body: { ...ids, rules: [level], channels: [api.ann.channelId] },
      });

    expect((await ask({})).status).toBe(400);
    expect((await ask({ event_id: 4711, sh_event_id: 159_004_711 })).status).toBe(400);
  });

  it('is refused when the budget is spent, without a call', async () => {
    await patch({ daily_cap: 0 });
    const answer = await watchOf('late');

    expect(answer.status).toBe(503);
    expect(lookUps).toBe(0);
  });

  const lookUp = (also: object) =>
    api.call('/v1/watches', {
      body: {
        ...{ sh_event_id: 159_004_711, rules: [level], channels: [api.ann.channelId] },
        ...also,
      },
    });

  it.each([
    ['another owner’s channel', () => ({ channels: [api.bob.channelId] })],
    ['no channel, and no default', () => ({ channels: [] })],
    ['another owner’s fallback', () => ({ fallback_channel: api.bob.channelId })],
    ['a fallback that is told anyway', () => ({ fallback_channel: api.ann.channelId })],
    ['a window that has passed', () => ({ rules: [{ ...level, until: '2026-02-01T00:00:00Z' }] })],
  ])('is refused before the look-up: %s', async (_, also) => {
    const answer = await lookUp(also());
    expect(answer.status).toBe(400);
    expect(lookUps).toBe(0);
    expect((await budget()).day).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('is refused before the look-up where the quota has no room', async () => {
    const { ann } = api;
    const take = { wanted: 10_000, most: 10_000 };
    await api.stores.quotas.take(
      { ...ann, kind: 'watches', now: startMs },
      take,
      async () => 10_000,
    );
    expect((await lookUp({})).body.type).toBe('urn:getin:problem:quota-exceeded');
    expect(lookUps).toBe(0);
  });

  const setShare = (share: number) => patch({ owner_shares: { [api.ann.ownerId]: share } });

  it('is refused to an owner without a share of the pulls', async () => {
    await setShare(0);
    const answer = await lookUp({});
    expect([answer.status, answer.body.type]).toEqual([403, 'urn:getin:problem:quota-exceeded']);
    expect(lookUps).toBe(0);
  });

  it('spends an owner’s share and no more, however many are asked at once', async () => {
    await setShare(0.1);
    const events = Array.from({ length: 9 }, (_, index) => 5_000 + index);
    market.ingest.accept({ events: events.map((id) => anEvent(id)) });
    market.ingest.accept({
      listing_sets: events.map((id) => ({
        event_id: id,
        listings: [aListing(14_000_000_000 + id)],
      })),
    });
    const answers = await Promise.all(events.map((id) => watchOf(`w${id}`, 159_000_000 + id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 429, 429, 429, 429, 429, 429, 429]);
    expect(lookUps).toBe(2);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('43200');
    expect(refused?.body.detail).toContain('Your share of today’s pulls is used up');
    expect(await api.stores.budget.spentByOwner('2026-03-01', api.ann.ownerId)).toBe(2);
  });

  it('gives the share back for a look-up that cost nothing', async () => {
    await setShare(0.05);
    expect((await lookUp({ sh_event_id: 1 })).status).toBe(400);
    expect((await lookUp({})).status).toBe(201);
  });

  it('leaves half of the day’s pulls to others, without any share set', async () => {
    const unknown = await Promise.all(
      Array.from({ length: 14 }, (_, index) => lookUp({ sh_event_id: 1 + index })),
    );
    const statuses = unknown.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const other = await api.call('/v1/watches', {
      ...{ key: api.bob.key },
      body: { sh_event_id: 159_004_711, rules: [level], channels: [api.bob.channelId] },
    });
    expect(other.status).toBe(201);
  });
});

describe('the cost of a watch', () => {
  const costOfAnHour = {
    pulls_per_day_added: 24,
    pulls_per_day_share: 24,
    is_upper_bound: true,
    flat_value_per_day: 0.36,
  };
  const body = (latency_seconds: number) => ({
    ...{ event_id: 4711, rules: [level], channels: [api.ann.channelId], latency_seconds },
  });
  const inFourDays = { eventId: 4711, name: 'Game', updatedAt: startMs };

  it('comes with a new watch, and is unknown until an event without a date', async () => {
    const { body: watch } = await api.call('/v1/watches', { body: body(3_600) });
    expect(watch.forecast).toMatchObject({ ...costOfAnHour, until_event: null });
  });

  it('is given until the event, and at other latencies', async () => {
    await api.stores.eventFacts.keep({ ...inFourDays, startsAt: startMs + 4 * 86_400_000 });
    const { body: watch } = await api.call('/v1/watches', { body: body(3_600) });
    expect(watch.forecast.until_event).toEqual({
      ends_at: '2026-03-05T12:00:00.000Z',
      ...{ pulls_added: 96, flat_value: 1.44 },
    });
    expect(watch.forecast.at_latencies).toHaveLength(5);
    expect(watch.forecast.at_latencies[0]).toEqual({
      latency_seconds: 60,
      pulls_per_day_added: 1_440,
      flat_value_per_day: 21.6,
      until_event: { pulls_added: 5_760, flat_value: 86.4 },
    });
  });

  it('counts at most one poll a minute, because dispatch runs so often', async () => {
    const { body: watch } = await api.call('/v1/watches', { body: body(1) });
    expect(watch.forecast).toMatchObject({ pulls_per_day_added: 1_440, flat_value_per_day: 21.6 });
  });

  it('comes with a change, for the watch as it is then', async () => {
    const { body: watch } = await api.call('/v1/watches', { body: body(60) });
    const { body: changed } = await api.call(`/v1/watches/${watch.id}`, {
      ...{ method: 'PATCH', body: { latency_seconds: 3_600 } },
    });
    expect(changed.forecast).toMatchObject(costOfAnHour);
  });

  it('comes with a preview, before anything is saved', async () => {
    const { body: preview } = await api.call('/v1/rules/preview', {
      body: { event_id: 4711, rule: level, latency_seconds: 3_600 },
    });
    expect(preview.forecast).toMatchObject(costOfAnHour);
    expect((await budget()).day.demand).toBe(0);
  });
});
