// Defaults of owners and tags: the nearest wins, and watches that follow change with them.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, aChannel, eventId, levelRule, startApi } from '#test/support/api.ts';

const second = 'ch_00000000000000000000000000000077';
let api: Api;

beforeEach(async () => {
  api = await startApi();
  await api.stores.channels.create(aChannel(second, api.ann.ownerId));
  return () => api.stop();
});

const change = (body: unknown, match = '*') =>
  api.call('/v1/defaults', { method: 'PATCH', body, headers: { 'if-match': match } });
const make = async (also: Record<string, unknown> = {}) =>
  (await api.call('/v1/watches', { body: { event_id: eventId, rules: [levelRule(80)], ...also } }))
    .body;

describe('defaults', () => {
  it('are what a watch has that says nothing itself: its tags’ in their order, then the owner’s', async () => {
    const { ann } = api;
    await change({
      channels: [ann.channelId],
      latency_seconds: 120,
      tags: { vip: { channels: [second] }, slow: { latency_seconds: 900 } },
    });
    expect(await make()).toMatchObject({ channels: [ann.channelId], latency_seconds: 120 });
    expect(await make({ tags: ['slow', 'vip'] })).toMatchObject({
      channels: [second],
      latency_seconds: 900,
    });
    expect(
      await make({ name: 'own', tags: ['vip'], channels: [ann.channelId], latency_seconds: 60 }),
    ).toMatchObject({ channels: [ann.channelId], latency_seconds: 60, inherits: [] });
  });

  it.each(['constructor', 'vip-2'])('are kept for a tag named %s, and only for it', async (tag) => {
    await change({ channels: [api.ann.channelId], latency_seconds: 120 });
    expect(await make({ name: 'before', tags: [tag] })).toMatchObject({ latency_seconds: 120 });
    const { status, body } = await change({ tags: { [tag]: { latency_seconds: 900 } } });
    expect(status).toBe(200);
    expect(body.tags).toEqual({ [tag]: expect.objectContaining({ latency_seconds: 900 }) });
    expect((await api.call('/v1/defaults')).body.tags).toEqual(body.tags);
    expect(await make({ name: 'after', tags: [tag] })).toMatchObject({ latency_seconds: 900 });
    expect(await make({ name: 'other', tags: ['vip'] })).toMatchObject({ latency_seconds: 120 });
  });

  it('take the watches along that follow them, and leave the others', async () => {
    await change({ channels: [api.ann.channelId] });
    const follower = await make();
    const own = await make({ name: 'own', channels: [api.ann.channelId], latency_seconds: 60 });
    const { body } = await change({ channels: [second], latency_seconds: 300 });
    expect(body.watches_changed).toBe(1);
    expect((await api.call(`/v1/watches/${follower.id}`)).body).toMatchObject({
      channels: [second],
      latency_seconds: 300,
    });
    expect((await api.call(`/v1/watches/${own.id}`)).body).toMatchObject({
      channels: [api.ann.channelId],
      version: 1,
    });
    expect(await api.stores.subscriptions.of({ eventId, kind: 'stats' })).toMatchObject([
      { latencySeconds: 60 },
      { latencySeconds: 300 },
    ]);
  });

  it('leave a watch of the time when the default was a minute as it is, until one is set', async () => {
    await change({ channels: [api.ann.channelId] });
    const { id } = await make();
    const stored = await api.stores.watches.find(id);
    if (!stored) throw new Error('no watch');
    await api.stores.watches.change(
      stored,
      { latencySeconds: 60, updatedAt: stored.updatedAt },
      api.clock.now,
    );
    const latency = async () => (await api.call(`/v1/watches/${id}`)).body.latency_seconds;
    await change({ channels: [second] });
    expect(await latency()).toBe(60);
    await change({ latency_seconds: 300 });
    expect(await latency()).toBe(300);
    await change({ latency_seconds: null });
    expect(await latency()).toBe(3_600);
  });

  it('count for a watch that gets another tag, or goes back to them', async () => {
    await change({ channels: [api.ann.channelId], tags: { vip: { channels: [second] } } });
    const { id } = await make();
    const patch = async (body: unknown) =>
      (await api.call(`/v1/watches/${id}`, { method: 'PATCH', body, headers: { 'if-match': '*' } }))
        .body;
    expect((await patch({ tags: ['vip'] })).channels).toEqual([second]);
    expect((await patch({ channels: [api.ann.channelId] })).inherits).toEqual(['latency_seconds']);
    expect(await patch({ channels: null })).toMatchObject({ channels: [second] });
  });

  it('have a version, name faults, and never take another owner’s channel', async () => {
    expect((await api.call('/v1/defaults')).headers.get('etag')).toMatch(/^"0\./);
    expect((await change({ latency_seconds: 60 }, '"0"')).status).toBe(200);
    expect((await change({ latency_seconds: 90 }, '"0"')).status).toBe(412);
    const { status, body } = await change({
      channels: [api.bob.channelId],
      tags: { vip: { channels: [api.bob.channelId] } },
    });
    expect([status, body.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([
      400,
      ['#/channels/0', '#/tags/vip/channels/0'],
    ]);
  });
});
