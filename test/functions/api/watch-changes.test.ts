// Watches changed through the API: nothing that was said before, or at once by somebody else, is lost.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, anyVersion, eventId, levelRule, startApi } from '#test/support/api.ts';

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

describe('PATCH /v1/watches/{id}', () => {
  const patch = (id: string, body: unknown, headers: Record<string, string> = anyVersion) =>
    api.call(`/v1/watches/${id}`, { method: 'PATCH', body, headers });

  it.each([
    ['rules', [levelRule(60)]],
    ['channels', []],
    ['tags', ['finals']],
  ])('that replaces all %s needs to know which version is meant', async (field, value) => {
    const { body } = await create();
    const channels = value.length === 0 ? [api.ann.channelId] : value;
    const answer = await patch(body.id, { name: 'x', [field]: channels }, {});
    expect(answer.status).toBe(428);
    expect(answer.body.detail).toContain(`\`${field}\` replaces all ${field}`);
    expect((await api.call(`/v1/watches/${body.id}`)).body.name).toBeNull();
  });

  it('without a version changes the newest, and loses no other field', async () => {
    const { body } = await create();
    const [named, slower] = await Promise.all([
      patch(body.id, { name: 'x' }, {}),
      patch(body.id, { latency_seconds: 300 }, {}),
    ]);
    expect([named.status, slower.status]).toEqual([200, 200]);
    const { body: after } = await api.call(`/v1/watches/${body.id}`);
    expect(after).toMatchObject({ name: 'x', latency_seconds: 300, version: 3 });
  });

  it('refuses an old version', async () => {
    const { body } = await create();
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

  it('takes a new rule with or without the field rule around it', async () => {
    const { body } = await create();
    const { body: after } = await patch(body.id, {
      rules: [
        { id: body.rules[0].id, rule: levelRule(80) },
        { rule: levelRule(20) },
        levelRule(10),
      ],
    });
    const levels = after.rules.map(
      ({ rule }: { rule: { at_or_below: number } }) => rule.at_or_below,
    );
    expect(levels).toEqual([80, 20, 10]);
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
    expect(await api.stores.subscriptions.of({ eventId, kind: 'stats' })).toMatchObject([
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
      headers: anyVersion,
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

  it('needs no version, and refuses an old one that is named all the same', async () => {
    const { body } = await create();
    const move = (to: string, match: string) =>
      api.call(`/v1/watches/${body.id}/${to}`, { method: 'POST', headers: { 'if-match': match } });
    expect((await move('pause', '"1"')).status).toBe(200);
    expect((await move('resume', '"1"')).status).toBe(412);
    expect((await api.call(`/v1/watches/${body.id}`)).body.status).toBe('paused');
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

  it('snoozes for minutes from now', async () => {
    const { body } = await create();
    const snooze = (sent: object) => api.call(`/v1/watches/${body.id}/snooze`, { body: sent });
    expect((await snooze({ minutes: 90 })).body.snoozed_until).toBe('2026-03-01T13:30:00.000Z');
    for (const sent of [{}, { minutes: 0 }, { minutes: 5, until: null }, { minutes: 1e9 }]) {
      expect((await snooze(sent)).status).toBe(400);
    }
  });
});

describe('DELETE /v1/watches/{id}', () => {
  it('takes triggers out of matching, ends subscriptions, and retires a feed without others', async () => {
    const { body } = await create();
    const [triggerId = ''] = (await api.stores.watches.find(body.id))?.rules[0]?.triggerIds ?? [];
    const { status } = await api.call(`/v1/watches/${body.id}`, {
      method: 'DELETE',
      headers: { 'if-match': '"1"' },
    });

    expect(status).toBe(204);
    expect((await api.call(`/v1/watches/${body.id}`)).status).toBe(404);
    expect((await api.call('/v1/watches')).body.data).toEqual([]);
    expect(await api.stores.triggers.inspect(triggerId)).toMatchObject({ isParked: true });
    expect(await api.stores.triggers.forEvent(eventId).index.unsettled()).toEqual([]);
    expect(await api.stores.subscriptions.of({ eventId, kind: 'stats' })).toEqual([]);
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'idle' });
  });

  it('leaves a feed that somebody else watches', async () => {
    const { body } = await create();
    await create({ name: 'second' });
    await api.call(`/v1/watches/${body.id}`, { method: 'DELETE', headers: anyVersion });
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
