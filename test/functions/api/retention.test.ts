// Alerts and deliveries are kept as long as the deployment says; what has expired counts as deleted, whether or
// not the table's TTL has come by.
import { beforeAll, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { retentionVariables } from '#shared/retention.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';

let api: Api;
const dayMs = 86_400_000;
const alertId = 'alt_00000000000000000000000000000001_1';
const deliveryId = 'dlv_00000000000000000000000000000001';

beforeAll(async () => {
  api = await startApi();
  return () => api.stop();
});

const statuses = async () => {
  const paths = [
    `/v1/alerts/${alertId}`,
    `/v1/deliveries/${deliveryId}`,
    `/v1/deliveries?alert_id=${alertId}`,
  ];
  return Promise.all(paths.map(async (path) => (await api.call(path)).status));
};
const listed = async () => {
  const lists = await Promise.all(['/v1/alerts', '/v1/deliveries'].map((path) => api.call(path)));
  return lists.map(({ body }) => body.data.length);
};

describe('what has expired', () => {
  it('is neither listed, nor found, nor sent again', async () => {
    const { ownerId, channelId } = api.ann;
    const settings = { ...api.names, ALERT_RETENTION_DAYS: 30 };
    const stores = openStores(api.client, settings, everyStore);
    await stores.alerts.create(
      anAlert({ alertId, ownerId, channelIds: [channelId], firedAt: startMs }),
    );
    const delivery = newDelivery(
      { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
      { now: startMs },
    );
    await stores.deliveries.create({ ...delivery, status: 'failed', alertIds: new Set([alertId]) });

    api.clock.now = startMs + 30 * dayMs - 1;
    expect([await statuses(), await listed()]).toEqual([
      [200, 200, 200],
      [1, 1],
    ]);
    api.clock.now = startMs + 30 * dayMs;
    expect([await statuses(), await listed()]).toEqual([
      [404, 404, 404],
      [0, 0],
    ]);
    const replay = { method: 'POST', body: { since: new Date(startMs).toISOString() } };
    const { body } = await api.call(`/v1/channels/${channelId}/replay`, replay);
    expect(body).toEqual({ replayed: 0, next: null });
  });
});

describe('the number of days', () => {
  it.each(['30', '99', '400', '3599', '3650'])('may be %s', (text) => {
    expect(retentionVariables.ALERT_RETENTION_DAYS.parse(text)).toBe(Number(text));
  });

  it.each(['', '29', '3651', '400.5', 'forever', '0400'])('may not be "%s"', (text) => {
    const parsed = retentionVariables.ALERT_RETENTION_DAYS.safeParse(text);
    expect(parsed.error?.issues[0]?.message).toBe('must be a whole number of days, 30 to 3650');
  });
});
