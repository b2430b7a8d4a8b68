// Watches through the API: made once, listed, seen with how they stand.
import { beforeEach, describe, expect, it } from 'vitest';
import { alertIdOf } from '#shared/alerts/alert.ts';
import { anAlert } from '#test/support/alerts.ts';
import {
  type Api,
  aChannel,
  anyVersion,
  eventId,
  levelRule,
  startApi,
  startMs,
  statsAt,
} from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

async function create(wanted: Record<string, unknown> = {}) {
  const answer = await api.call('/v1/watches', {
    body: { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId], ...wanted },
  });
  expect(answer.text).toContain('"id"');
  return answer;
}

describe('POST /v1/watches', () => {
  it('answers with the watch, its rules in words and its version as ETag', async () => {
    const { status, headers, body } = await create({ name: 'Finals', tags: ['Finals', 'finals'] });

    expect(status).toBe(201);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toMatchObject({
      event_id: 4711,
      name: 'Finals',
      tags: ['finals'],
      status: 'active',
      snoozed_until: null,
      rules: [{ sentence: 'Get-in at or below $80', currently_true: null }],
      latency_seconds: 3_600,
      inherits: ['latency_seconds'],
      version: 1,
    });
  });

  it('costs a fan 36 cents a day at most, and says what faster alerts cost', async () => {
    const { forecast } = (await create({ name: 'for a fan' })).body;
    expect(forecast.flat_value_per_day).toBe(0.36);
    const prices = forecast.at_latencies.map(
      (at: { latency_seconds: number; flat_value_per_day: number }) => [
        at.latency_seconds,
        at.flat_value_per_day,
      ],
    );
    expect(prices).toEqual([
      [60, 21.6],
      [300, 4.32],
      [900, 1.44],
      [3_600, 0.36],
      [21_600, 0.06],
    ]);
  });

  it('refuses a watch that nobody would hear of', async () => {
    const { status, body } = await api.call('/v1/watches', {
      body: { event_id: eventId, rules: [levelRule(80)] },
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '#/channels', detail: 'must name a channel: you have no default channel' },
    ]);
  });

  it('refuses a channel of somebody else as one that is not there', async () => {
    const { status, body } = await api.call('/v1/watches', {
      body: { event_id: eventId, rules: [levelRule(80)], channels: [api.bob.channelId] },
    });
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '#/channels/0', detail: 'is no channel of yours' }],
    ]);
  });

  it('is made again at once under its first name, after it was renamed and deleted', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { body } = await create({ name: 'Finals' });
      const path = `/v1/watches/${body.id}`;
      api.clock.now += 1_000;
      const changes = { method: 'PATCH', body: { name: 'Finals, game 1' }, headers: anyVersion };
      expect((await api.call(path, changes)).status).toBe(200);
      expect((await api.call(path, { method: 'DELETE', headers: anyVersion })).status).toBe(204);
    }
  });

  it('takes 499.990 for 499.99, refuses more decimals, and names the watch that asks the same', async () => {
    const first = await create({ rules: [levelRule(499.99)] });
    const again = await api.call('/v1/watches', {
      body: `{"event_id":4711,"rules":[{"type":"level","metric":"get_in","at_or_below":499.990}],"channels":["${api.ann.channelId}"]}`,
    });
    expect([again.status, again.body.type, again.body.watch_id]).toEqual([
      409,
      'urn:getin:problem:duplicate-watch',
      first.body.id,
    ]);
    for (const level of [499.999, 499.9999]) {
      const { status } = await api.call('/v1/watches', {
        body: { event_id: eventId, rules: [levelRule(level)], channels: [api.ann.channelId] },
      });
      expect(status).toBe(400);
    }
  });

  it('makes one watch of two identical requests at once', async () => {
    const body = { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId] };
    const answers = await Promise.all([1, 2, 3].map(() => api.call('/v1/watches', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await api.call('/v1/watches')).body.data).toHaveLength(1);
  });

  it('takes the same rules again under another name, or once the first watch is gone', async () => {
    const first = await create();
    expect((await create({ name: 'Another' })).status).toBe(201);
    await api.call(`/v1/watches/${first.body.id}`, { method: 'DELETE', headers: anyVersion });
    expect((await create()).status).toBe(201);
  });

  it('forgets a refused request, so that it may be made good', async () => {
    const body = { event_id: eventId, rules: [levelRule(80)], channels: [`ch_${'9'.repeat(32)}`] };
    expect((await api.call('/v1/watches', { body })).status).toBe(400);
    expect((await api.call('/v1/watches', { body })).status).toBe(400);
  });

  it('names the nearest zone of the event', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 100 })], startMs);
    const { body } = await api.call('/v1/watches', {
      body: {
        event_id: eventId,
        rules: [levelRule(5), { ...levelRule(80), zone: 'Lower Bowll' }],
        channels: [api.ann.channelId],
      },
    });
    expect(body.errors).toEqual([
      {
        pointer: '#/rules/1/zone',
        detail: 'the event has no zone "Lower Bowll"; the nearest are "Lower Bowl"',
      },
    ]);
  });
});

describe('two channels of one watch with one address', () => {
  it('are refused, so that no alert comes twice', async () => {
    const { channelId, ownerId } = api.ann;
    const second = { ...aChannel(`ch_${'8'.repeat(32)}`, ownerId) };
    await api.stores.channels.create({
      ...second,
      target: { kind: 'email', address: 'ANN@example.com' },
    });
    const { status, body } = await api.call('/v1/watches', {
      body: { event_id: eventId, rules: [levelRule(80)], channels: [channelId, second.channelId] },
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        pointer: '#/channels/1',
        detail: 'has the same address as channel 0, so each alert would come twice',
      },
    ]);
  });

  it('are one channel if it is named twice', async () => {
    const { channelId } = api.ann;
    const { body } = await create({ channels: [channelId, channelId] });
    expect(body.channels).toEqual([channelId]);
  });
});

describe('a zone in another case', () => {
  beforeEach(() =>
    api.stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 70 })], startMs),
  );
  const inZone = (zone: string) => ({ rules: [{ ...levelRule(80), zone }] });

  it('is the event’s zone, in the watch, in its duplicate and in a change', async () => {
    const { body } = await create(inZone('lower bowl'));
    expect(body.rules[0]).toMatchObject({ rule: { zone: 'Lower Bowl' }, currently_true: true });

    const again = { event_id: eventId, channels: [api.ann.channelId], ...inZone('LOWER BOWL') };
    expect((await api.call('/v1/watches', { body: again })).status).toBe(409);

    const changed = await api.call(`/v1/watches/${body.id}`, {
      method: 'PATCH',
      body: { rules: [{ ...levelRule(60), zone: 'lower  bowl' }] },
      headers: anyVersion,
    });
    expect(changed.body.rules[0]).toMatchObject({ rule: { zone: 'Lower Bowl', at_or_below: 60 } });
  });

  it('is the event’s zone in a preview', async () => {
    const rule = { ...levelRule(80), zone: 'lower bowl' };
    const { status, body } = await api.call('/v1/rules/preview', {
      body: { event_id: eventId, rule },
    });
    expect(status).toBe(200);
    expect(body.sentence).toContain('Lower Bowl');
  });
});

describe('GET /v1/watches/{id}', () => {
  it('shows how the watch stands', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs - 1_000, 92.5)], startMs);
    const { body: made } = await create({ rules: [levelRule(80), levelRule(95)] });
    const { status, headers, body } = await api.call(`/v1/watches/${made.id}`);

    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^"1\./);
    expect(body.rules).toMatchObject([
      {
        state: 'new',
        unit: 'dollars',
        value: 92.5,
        level: 80,
        distance: 12.5,
        reached: false,
        words: 'Get-in is $92.50, $12.50 above your level of $80',
      },
      { reached: true, distance: 0, words: 'Get-in is $92.50, at or below your level of $95' },
    ]);
    expect(body).toMatchObject({
      data_as_of: '2026-03-01T11:59:59.000Z',
      next_poll_at: '2026-03-01T12:00:00.000Z',
      next_poll_reason: 'new',
      last_alert: null,
      cost: { pulls: 0, by_feed: { stats: 0 } },
      trouble: [],
    });
  });

  it('names the last alert, also of a rule that speaks at further steps', async () => {
    const { body: made } = await create({
      rules: [levelRule(80), { ...levelRule(60), repeat_every_further_percent: 5 }],
    });
    const stored = await api.stores.watches.find(made.id);
    const [plain = '', repeating = ''] = (stored?.rules ?? []).map(
      ({ triggerIds }) => triggerIds[0],
    );
    const lastAlert = async () => (await api.call(`/v1/watches/${made.id}`)).body.last_alert;
    const fire = async (triggerId: string, generation: number, firedAt: number) => {
      const alertId = alertIdOf(triggerId, generation);
      const { ownerId } = api.ann;
      await api.stores.alerts.create(anAlert({ alertId, ownerId, watchId: made.id, firedAt }));
      return alertId;
    };
    expect(await lastAlert()).toBeNull();
    await api.stores.triggers.edit(plain, (trigger) => ({
      ...trigger,
      ...{ state: 'armed', generation: 3 },
      memory: { ...trigger.memory, firings: [startMs] },
    }));
    const first = await fire(plain, 2, startMs);
    expect(await lastAlert()).toMatchObject({ id: first, fired_at: '2026-03-01T12:00:00.000Z' });

    const main = await api.stores.triggers.find(repeating);
    if (!main) throw new Error('the trigger is gone');
    await api.stores.triggers.create({
      ...main,
      ...{ triggerId: `${repeating}f`, role: 'further', state: 'armed', generation: 10_002 },
      memory: { ...main.memory, firings: [startMs + 1_000] },
    });
    const further = await fire(`${repeating}f`, 10_001, startMs + 1_000);
    expect(await lastAlert()).toMatchObject({ id: further });
  });

  it('tells every trouble in words', async () => {
    const { body: made } = await create({ rules: [{ ...levelRule(80), zone: 'Court' }] });
    await api.stores.snapshots.createAll([statsAt(startMs, 100, { Balcony: 50 })], startMs);
    await api.stores.channels.remove(api.ann.channelId);
    await api.stores.marketState.change((state) => ({
      ...state,
      pause: { reason: 'payment', since: startMs },
    }));
    await api.call(`/v1/watches/${made.id}/pause`, { method: 'POST' });
    const { body } = await api.call(`/v1/watches/${made.id}`);

    expect(body.next_poll_at).toBeNull();
    expect(body.trouble.map(({ code }: { code: string }) => code)).toEqual([
      'paused',
      'no_usable_channel',
      'channel_deleted',
      'zone_unknown',
      'market_paused',
    ]);
    expect(body.trouble[2].text).toBe(`Channel ${api.ann.channelId} has been deleted.`);
  });
});

describe('GET /v1/watches', () => {
  beforeEach(async () => {
    await api.stores.snapshots.createAll([statsAt(startMs, 100)], startMs);
    await create({ name: 'far', rules: [levelRule(50)], tags: ['a'] });
    await create({ name: 'near', rules: [levelRule(99)], tags: ['a', 'b'] });
    await create({ name: 'elsewhere', event_id: 12, rules: [levelRule(99)] });
    await create({ name: 'reached', rules: [levelRule(50), levelRule(120)], tags: ['b'] });
  });
  const names = async (query: string) =>
    (await api.call(`/v1/watches?${query}`)).body.data.map((watch: { name: string }) => watch.name);

  it('lists the newest first, filtered by event, tag and status', async () => {
    expect(await names('')).toEqual(['reached', 'elsewhere', 'near', 'far']);
    expect(await names('event_id=12')).toEqual(['elsewhere']);
    expect(await names('tag=a')).toEqual(['near', 'far']);
    expect(await names('status=paused')).toEqual([]);
  });

  it('lists the nearest to its level first, what is unknown last', async () => {
    expect(await names('sort=closeness')).toEqual(['reached', 'near', 'far', 'elsewhere']);
  });

  it.each(['sort=newest', 'sort=closeness'])(
    'reaches each watch once, page by page (%s)',
    async (sort) => {
      const whole = await names(sort);
      const found: string[] = [];
      let cursor = '';
      for (let page = 0; page < 10; page += 1) {
        const { body } = await api.call(`/v1/watches?limit=1&${sort}${cursor}`);
        found.push(...body.data.map((watch: { name: string }) => watch.name));
        if (!body.has_more) break;
        cursor = `&starting_after=${body.next_cursor}`;
      }
      expect(found).toEqual(whole);
    },
  );

  it('refuses a cursor of another list or order', async () => {
    const { body } = await api.call('/v1/watches?limit=1&sort=closeness');
    const { status } = await api.call(`/v1/watches?starting_after=${body.next_cursor}`);
    expect(status).toBe(400);
  });
});
