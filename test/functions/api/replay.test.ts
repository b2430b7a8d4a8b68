// What failed, sent again through the API.
import { beforeEach, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { type Api, anyVersion, startApi } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

describe('a replay', () => {
  const failed = async (count: number) => {
    const { ownerId, channelId } = api.ann;
    for (let index = 0; index < count; index += 1) {
      const of = { ownerId, channelId, channelKind: 'email', purpose: 'alert' } as const;
      const delivery = newDelivery(
        { ...of, deliveryId: `dlv_${index}`, alertIds: new Set(['alt_1']), status: 'failed' },
        { now: api.clock.now + index * 1_000 },
      );
      const { nextAttemptAt: _none, ...done } = delivery;
      await api.stores.deliveries.create(done);
    }
  };

  it('sends one delivery again under its own id, and nothing that was sent', async () => {
    await failed(1);
    const replayed = await api.call('/v1/deliveries/dlv_0/replay', { method: 'POST' });
    expect(replayed.body).toMatchObject({ id: 'dlv_0', status: 'pending' });
    expect((await api.call('/v1/deliveries/dlv_0/replay', { method: 'POST' })).status).toBe(409);
  });

  it('goes on where it was left, with what failed before', async () => {
    await failed(3);
    const since = new Date(api.clock.now).toISOString();
    const before = new Date(api.clock.now + 1_000).toISOString();
    const answer = await api.call(`/v1/channels/${api.ann.channelId}/replay`, {
      body: { since, before },
    });
    expect(answer.body).toEqual({ replayed: 2, next: null });
  });

  it('sends all again that failed since a time, once the channel is on', async () => {
    await failed(5);
    const since = new Date(api.clock.now + 2_000).toISOString();
    const all = () => api.call(`/v1/channels/${api.ann.channelId}/replay`, { body: { since } });
    expect((await all()).body).toEqual({ replayed: 3, next: null });
    expect((await all()).body).toEqual({ replayed: 0, next: null });

    const off = { method: 'PATCH', body: { status: 'disabled' }, headers: anyVersion };
    await api.call(`/v1/channels/${api.ann.channelId}`, off);
    expect((await all()).status).toBe(409);
  });
});
