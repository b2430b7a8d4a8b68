// What failed, sent again through the API.
import { beforeEach, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/alerts/delivery/delivery.ts';
import { startApi } from '#test/support/api.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const create = (body: object) => api.call('/v1/channels', { body });
const anyVersion = { 'if-match': '*' };
// secretlint-disable-next-line -- leads nowhere
const slackUrl = 'https://hooks.slack.com/services/T0/B0/canarysecret';

describe('a replay', () => {
  const failed = async (channelId: string, count: number) => {
    const { ownerId } = api.ann;
    for (let index = 0; index < count; index += 1) {
      const of = { ownerId, channelId, channelKind: 'slack', purpose: 'alert' } as const;
      const delivery = newDelivery(
        { ...of, deliveryId: `dlv_${index}`, alertIds: new Set(['alt_1']), status: 'failed' },
        { now: api.clock.now + index * 1_000 },
      );
      const { nextAttemptAt: _none, ...done } = delivery;
      await api.stores.deliveries.create(done);
    }
  };

  it('sends one delivery again under its own id, and nothing that was sent', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    await failed(body.id, 1);
    const replayed = await api.call('/v1/deliveries/dlv_0/replay', { method: 'POST' });
    expect(replayed.body).toMatchObject({ id: 'dlv_0', status: 'pending' });
    expect((await api.call('/v1/deliveries/dlv_0/replay', { method: 'POST' })).status).toBe(409);
  });

  it('goes on where it was left, with what failed before', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    await failed(body.id, 3);
    const since = new Date(api.clock.now).toISOString();
    const before = new Date(api.clock.now + 1_000).toISOString();
    const answer = await api.call(`/v1/channels/${body.id}/replay`, { body: { since, before } });
    expect(answer.body).toEqual({ replayed: 2, next: null });
  });

  it('sends all again that failed since a time, once the channel is on', async () => {
    const { body } = await create({ kind: 'slack', url: slackUrl });
    await failed(body.id, 5);
    const since = new Date(api.clock.now + 2_000).toISOString();
    const all = () => api.call(`/v1/channels/${body.id}/replay`, { body: { since } });
    expect((await all()).body).toEqual({ replayed: 3, next: null });
    expect((await all()).body).toEqual({ replayed: 0, next: null });

    const off = { method: 'PATCH', body: { status: 'disabled' }, headers: anyVersion };
    await api.call(`/v1/channels/${body.id}`, off);
    expect((await all()).status).toBe(409);
  });
});
