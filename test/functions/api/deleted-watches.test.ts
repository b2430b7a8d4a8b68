// Deleted watches: listed for seven days, and restored as they were.
import { beforeEach, describe, expect, it } from 'vitest';
import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import {
  type Api,
  aChannel,
  anyVersion,
  createKey,
  eventId,
  startApi,
  watchBody,
} from '#test/support/api.ts';

const day = 86_400_000;
let api: Api;
/** Runs before the restored watch is written. */
let meanwhile: (() => Promise<void>) | undefined;
/** Whether removals die before they are carried through. */
let isCutOff = false;

const interrupted = (stores: Stores): Stores => ({
  ...stores,
  watches: {
    ...stores.watches,
    async change(watch, changes, now) {
      const between = meanwhile;
      meanwhile = undefined;
      if (watch.removedAt !== undefined) await between?.();
      const after = await stores.watches.change(watch, changes, now);
      if (isCutOff) throw new Error('cut off');
      return after;
    },
  },
});

beforeEach(async () => {
  meanwhile = undefined;
  isCutOff = false;
  api = await startApi({ quotas: { watches: 2, rules: 10, channels: 5 } }, interrupted);
  return () => api.stop();
});

async function create(also: Record<string, unknown> = {}) {
  const { status, body, text } = await api.call('/v1/watches', { body: watchBody(api, also) });
  expect(status, text).toBe(201);
  return body as { id: string; rules: { id: string }[] };
}
const remove = (id: string) =>
  api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion });
const restore = (id: string, key = api.ann.key) =>
  api.call(`/v1/watches/${id}/restore`, { method: 'POST', key });
const deleted = async (query = '') =>
  (await api.call(`/v1/watches?deleted=true${query}`)).body.data as Record<string, unknown>[];
const reconcile = () =>
  createApplyWatchChanges({
    watches: api.stores.watches,
    applyWatchChange: createApplyWatchChange(api.stores),
    recapBought: async () => {},
  })(api.clock.now);

describe('GET /v1/watches?deleted=true', () => {
  it('says what was deleted, when, by which key, and until when it can be restored', async () => {
    const { id } = await create({ name: 'Finals' });
    await remove(id);
    expect(await deleted()).toMatchObject([
      {
        ...{ id, name: 'Finals', status: 'active', event_id: eventId },
        deleted: {
          at: '2026-03-01T12:00:00.000Z',
          by: { way: 'request', key: { name: 'test' } },
          restorable_until: '2026-03-08T12:00:00.000Z',
        },
      },
    ]);
    expect((await api.call('/v1/watches')).body.data).toEqual([]);
    expect((await api.call(`/v1/watches/${id}/versions`)).body.data[0].words).toBe('deleted');
  });

  it('has the last deleted first, pages, and the filters by event and tag', async () => {
    const first = await create({ tags: ['x'] });
    const second = await create({ event_id: 9, name: 'second' });
    await remove(second.id);
    api.clock.now += 1_000;
    await remove(first.id);
    expect((await deleted()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await deleted('&tag=x')).map(({ id }) => id)).toEqual([first.id]);
    expect((await deleted('&event_id=9')).map(({ id }) => id)).toEqual([second.id]);
    const page = (await api.call('/v1/watches?deleted=true&limit=1')).body;
    const path = `/v1/watches?deleted=true&limit=1&starting_after=${page.next_cursor}`;
    expect((await api.call(path)).body).toMatchObject({
      data: [{ id: second.id }],
      has_more: false,
    });
    const refused = await api.call('/v1/watches?deleted=true&state=paused&sort=cost');
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#/state',
      '#/sort',
    ]);
  });
});

describe('POST /v1/watches/{id}/restore', () => {
  it('brings the watch back with its rules, channels and the state of its triggers', async () => {
    const { id, rules } = await create({ name: 'Finals', tags: ['x'], latency_seconds: 300 });
    const [triggerId = ''] = (await api.stores.watches.find(id))?.rules[0]?.triggerIds ?? [];
    const fired = { state: 'fired', generation: 4 } as const;
    await api.stores.triggers.edit(triggerId, (trigger) => ({ ...trigger, ...fired }));
    await remove(id);
    api.clock.now += day;
    const { status, body } = await restore(id);

    expect([status, body]).toMatchObject([
      200,
      {
        ...{ id, name: 'Finals', tags: ['x'], status: 'active', latency_seconds: 300, version: 3 },
        ...{ channels: [api.ann.channelId], channels_left_out: [], rules: [{ id: rules[0]?.id }] },
      },
    ]);
    expect(await api.stores.triggers.inspect(triggerId)).not.toHaveProperty('isParked');
    expect(await api.stores.triggers.find(triggerId)).toMatchObject(fired);
    expect(await api.stores.subscriptions.of({ eventId, kind: 'stats' })).toHaveLength(1);
    expect(await api.stores.feeds.find(eventId, 'stats')).toMatchObject({ status: 'active' });
    expect(await deleted()).toEqual([]);
    expect((await api.call('/v1/watches')).body.data).toMatchObject([{ id }]);
    const { data } = (await api.call(`/v1/watches/${id}/versions`)).body;
    expect(data.map(({ words }: { words: string }) => words)).toEqual([
      'restored',
      'deleted',
      'made',
    ]);
  });

  it('keeps a paused watch paused', async () => {
    const { id } = await create();
    await api.call(`/v1/watches/${id}/pause`, { method: 'POST' });
    await remove(id);
    expect((await restore(id)).body.status).toBe('paused');
  });

  it('may be repeated, and does nothing to a watch that is not deleted', async () => {
    const { id } = await create();
    expect((await restore(id)).body.version).toBe(1);
    await remove(id);
    expect((await restore(id)).body.version).toBe(3);
    expect((await restore(id)).body.version).toBe(3);
  });

  it('belongs to the owner, and needs a key that can write', async () => {
    const { id } = await create();
    await remove(id);
    expect((await restore(id, api.bob.key)).status).toBe(404);
    const reader = await createKey(api, api.ann.ownerId, 'read');
    expect((await restore(id, reader)).status).toBe(403);
  });

  it('ends after seven days; then reconcile deletes the watch with its triggers', async () => {
    const { id } = await create();
    const [triggerId = ''] = (await api.stores.watches.find(id))?.rules[0]?.triggerIds ?? [];
    await remove(id);
    api.clock.now += 7 * day - 1;
    await reconcile();
    expect(await deleted()).toHaveLength(1);
    api.clock.now += 1;
    expect(await deleted()).toEqual([]);
    expect((await restore(id)).status).toBe(404);
    api.clock.now += 3_600_000;
    await reconcile();
    expect(await api.stores.watches.find(id)).toBeUndefined();
    expect(await api.stores.triggers.find(triggerId)).toBeUndefined();
  });

  it('is refused while another watch asks the same, which is named', async () => {
    const { id } = await create();
    await remove(id);
    const again = await create();
    const { status, body } = await restore(id);
    expect([status, body.watch_id]).toEqual([409, again.id]);
    expect(await deleted()).toHaveLength(1);
    await remove(again.id);
    expect((await restore(id)).status).toBe(200);
  });

  it('is refused above the quota, and when the event is over', async () => {
    const { id } = await create();
    await remove(id);
    const others = [await create({ name: 'a' }), await create({ name: 'b' })];
    expect((await restore(id)).body).toMatchObject({ status: 403, quota: 'watches' });
    await remove(others[0]?.id ?? '');
    expect((await restore(id)).status).toBe(200);
    await remove(id);
    const startsAt = api.clock.now - 3 * day;
    await api.stores.eventFacts.keep({ eventId, name: 'Game', startsAt, updatedAt: startsAt });
    const { status, body } = await restore(id);
    expect([status, body.detail]).toEqual([
      409,
      'Its event is over, so the watch can’t be restored',
    ]);
  });

  it('leaves out channels that are gone; without any, the watch is paused', async () => {
    const gone = 'ch_00000000000000000000000000000077';
    const target = { kind: 'email', address: 'gone@example.com' } as const;
    await api.stores.channels.create({ ...aChannel(gone, api.ann.ownerId), target });
    const { id } = await create({ channels: [gone] });
    await remove(id);
    await api.stores.channels.remove(gone);
    expect((await restore(id)).body).toMatchObject({
      ...{ status: 'paused', channels: [], channels_left_out: [gone] },
    });
  });

  it('takes the defaults of now for settings that follow them', async () => {
    const defaults = (body: unknown) =>
      api.call('/v1/defaults', { method: 'PATCH', body, headers: anyVersion });
    await defaults({ channels: [api.ann.channelId], latency_seconds: 600 });
    const { id } = await create({ channels: undefined });
    await remove(id);
    await defaults({ latency_seconds: 60 });
    expect((await restore(id)).body.latency_seconds).toBe(60);
  });

  it('of a removal that is still under way counts the watch once', async () => {
    const { id } = await create();
    isCutOff = true;
    await remove(id);
    isCutOff = false;
    expect((await restore(id)).status).toBe(200);
    api.clock.now += 120_000;
    await reconcile();
    await create({ name: 'second' });
    expect(
      (await api.call('/v1/watches', { body: watchBody(api, { name: 'third' }) })).status,
    ).toBe(403);
    expect(await api.stores.subscriptions.of({ eventId, kind: 'stats' })).toHaveLength(2);
  });

  it('that meets the end of the removal reads the watch again, and counts it once', async () => {
    const { id } = await create();
    isCutOff = true;
    await remove(id);
    isCutOff = false;
    api.clock.now += 120_000;
    meanwhile = async () => {
      await reconcile();
    };
    expect((await restore(id)).status).toBe(200);
    await create({ name: 'second' });
    expect(
      (await api.call('/v1/watches', { body: watchBody(api, { name: 'third' }) })).status,
    ).toBe(403);
  });

  it('that meets the same watch being made leaves one of the two', async () => {
    const { id } = await create();
    await remove(id);
    const statuses: number[] = [];
    meanwhile = async () => {
      statuses.push((await api.call('/v1/watches', { body: watchBody(api) })).status);
    };
    statuses.push((await restore(id)).status);
    expect(statuses).toEqual([409, 200]);
    expect((await api.call('/v1/watches')).body.data).toHaveLength(1);
  });

  it('that meets another restore makes one version', async () => {
    const { id } = await create();
    await remove(id);
    meanwhile = async () => {
      await restore(id);
    };
    expect((await restore(id)).body).toMatchObject({ status: 'active', version: 3 });
    await create({ name: 'second' });
    expect(
      (await api.call('/v1/watches', { body: watchBody(api, { name: 'third' }) })).status,
    ).toBe(403);
  });
});

describe('a deleted watch', () => {
  it('gives its place back at once, and is in no list of watches', async () => {
    const { id } = await create();
    await create({ name: 'second' });
    await remove(id);
    await create({ name: 'third' });
    expect((await api.call('/v1/watches?include=standing')).body.data).toHaveLength(2);
    const { status, body } = await api.call(`/v1/watches/${id}`);
    expect([status, body.detail]).toEqual([
      404,
      `This watch was deleted; POST /v1/watches/${id}/restore brings it back until 2026-03-08T12:00:00.000Z`,
    ]);
    expect((await remove(id)).status).toBe(404);
    const others = await api.call(`/v1/watches/${id}`, { key: api.bob.key });
    expect(others.body.detail).toBe('No watch with this id');
  });
});
