// Watches through the API: made once, seen with how they stand, changed without losing anything.
import { beforeEach, describe, expect, it } from 'vitest';
import { alertIdOf } from '#shared/alerts/alert.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, eventId, levelRule, startApi, startMs, statsAt } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const anyMatch = { 'if-match': '*' };

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
      rules: [{ sentence: 'Get-in at or below $80.00', currently_true: null }],
      latency_seconds: 60,
      inherits: ['latency_seconds'],
      version: 1,
    });
  });

  it('refuses a watch that nobody would hear of', async () => {
    const { status, body } = await api.call('/v1/watches', {
      body: { event_id: eventId, rules: [levelRule(80)] },
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '#/channels', detail: 'must name a channel: there is no default for it' },
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
    await api.call(`/v1/watches/${first.body.id}`, { method: 'DELETE', headers: anyMatch });
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

describe('GET /v1/watches/{id}', () => {
  it('shows how the watch stands', async () => {
    await api.stores.snapshots.createAll([statsAt(startMs - 1_000, 92.5)], startMs);
    const { body: made } = await create({ rules: [levelRule(80), levelRule(95)] });
    const { status, headers, body } = await api.call(`/v1/watches/${made.id}`);

    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"1"');
    expect(body.rules).toMatchObject([
      {
        state: 'new',
        unit: 'dollars',
        value: 92.5,
        level: 80,
        distance: 12.5,
        reached: false,
        words: 'Now $92.50, $12.50 away from its level of $80',
      },
      { reached: true, distance: 0, words: 'Now $92.50, at or beyond its level of $95' },
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
    expect(body.trouble).toEqual([
      'It is paused: nothing is polled for it, and no alert is raised until it is resumed.',
      `Channel ${api.ann.channelId}: it has been deleted.`,
      'Zone "Court" has no listing just now, or the event has it no longer.',
      expect.stringContaining('Polling is paused: the marketplace account is out of funds'),
    ]);
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

describe('PATCH /v1/watches/{id}', () => {
  const patch = (id: string, body: unknown, headers: Record<string, string> = anyMatch) =>
    api.call(`/v1/watches/${id}`, { method: 'PATCH', body, headers });

  it('needs to know which version is meant, and refuses an old one', async () => {
    const { body } = await create();
    expect((await patch(body.id, { name: 'x' }, {})).status).toBe(428);
    expect((await patch(body.id, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(200);
    expect((await patch(body.id, { name: 'y' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await patch(body.id, { name: 'y' }, { 'if-match': 'W/"2"' })).status).toBe(412);
    expect((await patch(body.id, { name: 'y' }, { 'if-match': '2' })).status).toBe(400);
  });

  it('loses no update of several at once', async () => {
    const { body } = await create();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => patch(body.id, { name }, { 'if-match': '"1"' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const won = answers.find(({ status }) => status === 200);
    expect((await api.call(`/v1/watches/${body.id}`)).body.name).toBe(won?.body.name);
  });

  it('keeps the past of a rule that is named by its id, and drops one that is not listed', async () => {
    const { body } = await create({ rules: [levelRule(80), levelRule(60)] });
    const [first, second] = body.rules;
    const before = await api.stores.watches.find(body.id);
    const [fired] = before?.rules[0]?.triggerIds ?? [];
    await api.stores.triggers.edit(fired ?? '', (trigger) => ({ ...trigger, state: 'fired' }));
    const { body: after } = await patch(body.id, {
      rules: [{ id: first.id, rule: levelRule(90) }, levelRule(30)],
    });

    expect(after.rules[0].id).toBe(first.id);
    expect(after.rules[1].id).not.toBe(second.id);
    expect(await api.stores.triggers.find(fired ?? '')).toMatchObject({
      state: 'fired',
      level: 9_000,
    });
    const [gone] = before?.rules[1]?.triggerIds ?? [];
    expect(await api.stores.triggers.find(gone ?? '')).toBeUndefined();
    const stored = await api.stores.watches.find(body.id);
    expect(stored).not.toHaveProperty('unsettled');
    expect(await api.stores.triggers.find(stored?.rules[1]?.triggerIds[0] ?? '')).toMatchObject({
      state: 'new',
      level: 3_000,
    });
  });

  it('keeps a rule that is there word for word', async () => {
    const { body } = await create();
    const { body: after } = await patch(body.id, { rules: [levelRule(80), levelRule(10)] });
    expect(after.rules[0].id).toBe(body.rules[0].id);
  });

  it('refuses a rule id that is not the watch’s', async () => {
    const { body } = await create();
    const { status, body: problem } = await patch(body.id, {
      rules: [{ id: `rul_${'0'.repeat(32)}`, rule: levelRule(5) }],
    });
    expect(status).toBe(400);
    expect(problem.errors[0].pointer).toBe('#/rules/0/id');
  });

  it('polls as soon as the new latency wishes', async () => {
    const { body } = await create({ latency_seconds: 600 });
    await patch(body.id, { latency_seconds: 30 });
    expect(await api.stores.wishes.of({ eventId, kind: 'stats' })).toMatchObject([
      { watchId: body.id, latencySeconds: 30 },
    ]);
  });
});

describe('a change of one field', () => {
  const changes: [string, unknown, string[]][] = [
    ['name', { name: 'Other' }, ['name']],
    ['name away', { name: null }, ['name']],
    ['tags', { tags: ['x'] }, ['tags']],
    ['rules', { rules: [levelRule(70)] }, ['rules']],
    ['channels', { channels: ['ch_00000000000000000000000000000099'] }, ['channelIds']],
    [
      'fallback',
      { fallback_channel: 'ch_00000000000000000000000000000099' },
      ['fallbackChannelId'],
    ],
    ['latency', { latency_seconds: 90 }, ['latencySeconds']],
    ['latency to the default', { latency_seconds: null }, ['inherits', 'latencySeconds']],
  ];

  it.each(changes)('%s: all other attributes stay byte for byte', async (_, change, fields) => {
    const { body } = await create({ name: 'Finals', tags: ['a'], latency_seconds: 300 });
    const { aChannel } = await import('#test/support/api.ts');
    await api.stores.channels.create(
      aChannel('ch_00000000000000000000000000000099', api.ann.ownerId),
    );
    await api.call(`/v1/watches/${body.id}/snooze`, { body: { until: '2026-03-02T00:00:00Z' } });
    const before = { ...(await api.stores.watches.find(body.id)) } as Record<string, unknown>;
    api.clock.now += 1_000;
    const answer = await api.call(`/v1/watches/${body.id}`, {
      method: 'PATCH',
      body: change,
      headers: anyMatch,
    });
    expect(answer.status).toBe(200);
    const after = { ...(await api.stores.watches.find(body.id)) } as Record<string, unknown>;
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = names.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    expect(changed.sort()).toEqual([...fields, 'updatedAt', 'version'].sort());
  });
});

describe('pause, resume, snooze', () => {
  it('stops polling for a paused watch and takes it up again', async () => {
    const { body } = await create();
    await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'idle' });
    const { body: resumed } = await api.call(`/v1/watches/${body.id}/resume`, { method: 'POST' });
    expect(resumed.status).toBe('active');
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'active' });
  });

  it('may be repeated: a paused watch that is paused stays as it is', async () => {
    const { body } = await create();
    await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
    const { body: again } = await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
    expect(again).toMatchObject({ status: 'paused', version: 2 });
  });

  it('snoozes until a time in the future, and ends a snooze', async () => {
    const { body } = await create();
    const snooze = (until: unknown) =>
      api.call(`/v1/watches/${body.id}/snooze`, { body: { until } });
    expect((await snooze('2026-03-05T00:00:00+01:00')).body.snoozed_until).toBe(
      '2026-03-04T23:00:00.000Z',
    );
    expect((await snooze('2026-02-01T00:00:00Z')).status).toBe(400);
    expect((await snooze(null)).body.snoozed_until).toBeNull();
  });
});

describe('DELETE /v1/watches/{id}', () => {
  it('takes triggers and wishes along, and retires the feed when nobody is left', async () => {
    const { body } = await create();
    const [triggerId] = (await api.stores.watches.find(body.id))?.rules[0]?.triggerIds ?? [];
    const { status } = await api.call(`/v1/watches/${body.id}`, {
      method: 'DELETE',
      headers: { 'if-match': '"1"' },
    });

    expect(status).toBe(204);
    expect((await api.call(`/v1/watches/${body.id}`)).status).toBe(404);
    expect((await api.call('/v1/watches')).body.data).toEqual([]);
    expect(await api.stores.triggers.find(triggerId ?? '')).toBeUndefined();
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'idle' });
  });

  it('leaves a feed that somebody else watches', async () => {
    const { body } = await create();
    await create({ name: 'second' });
    await api.call(`/v1/watches/${body.id}`, { method: 'DELETE', headers: anyMatch });
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'active' });
  });

  it('refuses an old version', async () => {
    const { body } = await create();
    await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
    const { status } = await api.call(`/v1/watches/${body.id}`, {
      method: 'DELETE',
      headers: { 'if-match': '"1"' },
    });
    expect(status).toBe(412);
  });
});
