// A watch that is refused while its parts are being reserved leaves none of them behind.
import { afterEach, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type Api, eventId, levelRule, startApi, startMs, watchBody } from '#test/support/api.ts';

let api: Api;
afterEach(() => api.stop());

const subscriptions = () => api.stores.subscriptions.of({ eventId, kind: 'stats' });
const counted = async () => {
  const rows = await api.stores.watches.listAll(api.ann.ownerId);
  return rows.length;
};

it('leaves no subscription and no claim when the quota is used up', async () => {
  api = await startApi({ quotas: { watches: 1, rules: 5, channels: 5 } });
  const first = await api.call('/v1/watches', { body: watchBody(api) });
  const second = watchBody(api, { rules: [levelRule(70)] });
  const refused = await api.call('/v1/watches', { body: second });
  expect([first.status, refused.status]).toEqual([201, 403]);
  expect((await subscriptions()).map(({ watchId }) => watchId)).toEqual([first.body.id]);

  const path = `/v1/watches/${first.body.id}`;
  await api.call(path, { method: 'DELETE', headers: { 'if-match': '*' } });
  expect((await api.call('/v1/watches', { body: second })).status).toBe(201);
});

it('takes no quota when a default channel is gone', async () => {
  api = await startApi({ quotas: { watches: 1, rules: 5, channels: 5 } });
  const gone = `ch_${'f'.repeat(32)}`;
  const defaults = await api.stores.ownerDefaults.find(api.ann.ownerId);
  const after = { ...defaults, version: 1, all: { channelIds: [gone] } };
  await api.stores.ownerDefaults.replace(defaults, after);
  const { channels: _none, ...open } = watchBody(api);
  const refused = await api.call('/v1/watches', { body: open });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '#/channels/0']);
  expect(await subscriptions()).toEqual([]);

  expect((await api.call('/v1/watches', { body: watchBody(api) })).status).toBe(201);
});

it('leaves the subscription and the quota of the winner alone when two equal requests meet', async () => {
  api = await startApi({ quotas: { watches: 2, rules: 10, channels: 5 } });
  const both = await Promise.all([
    api.call('/v1/watches', { body: watchBody(api) }),
    api.call('/v1/watches', { body: watchBody(api) }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const winner = both.find(({ status }) => status === 201)?.body.id;
  expect((await subscriptions()).map(({ watchId }) => watchId)).toEqual([winner]);

  const other = await api.call('/v1/watches', { body: watchBody(api, { name: 'other' }) });
  expect([other.status, await counted()]).toEqual([201, 2]);
});

it('finishes a watch whose first request died after storing it, though the quota is used up', async () => {
  let isDying = true;
  const dying = (stores: Stores): Stores => ({
    ...stores,
    watches: {
      ...stores.watches,
      create: async (watch) => {
        const isNew = await stores.watches.create(watch);
        if (isDying) throw new Error('the process died');
        return isNew;
      },
    },
  });
  api = await startApi({ quotas: { watches: 1, rules: 1, channels: 5 } }, dying);
  const headers = { 'idempotency-key': 'k1' };
  expect((await api.call('/v1/watches', { body: watchBody(api), headers })).status).toBe(500);
  isDying = false;
  api.clock.now = startMs + 60_000;
  const again = await api.call('/v1/watches', { body: watchBody(api), headers });

  expect([again.status, await counted()]).toEqual([201, 1]);
  expect((await subscriptions()).map(({ watchId }) => watchId)).toEqual([again.body.id]);
});
