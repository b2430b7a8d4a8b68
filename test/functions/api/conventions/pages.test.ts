// Lists by cursor: each reaches everything once, whatever the page's size.
import { beforeAll, describe, expect, it } from 'vitest';
import { alertIdOf } from '#shared/alerts/alert.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, aChannel, adminKey, startApi, startMs, watchBody } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  const { stores, ann } = api;
  const { ownerId } = ann;
  for (let n = 1; n <= 6; n += 1) {
    const digits = String(n).padStart(32, '0');
    await stores.channels.create(aChannel(`ch_${digits}`, ownerId));
    await api.call('/v1/keys', { key: adminKey, body: { name: `key ${n}`, scope: 'read' } });
    const createdAt = new Date(startMs).toISOString();
    await stores.access.createOwner({
      ownerId: `own_${digits.replace('0', 'f')}`,
      name: `${n}`,
      createdAt,
    });
    // Two alerts at each moment, so that a page may end between them.
    const firedAt = startMs + Math.floor(n / 2);
    await stores.alerts.create(
      anAlert({ alertId: alertIdOf(`trg_${digits}`, 1), ownerId, firedAt }),
    );
    await stores.deliveries.create(
      newDelivery(
        {
          ...{ deliveryId: `dlv_${digits}`, purpose: 'test', ownerId },
          ...{ channelId: ann.channelId, channelKind: 'email' },
        },
        { now: firedAt },
      ),
    );
    await api.call('/v1/watches', { body: watchBody(api, { name: `watch ${n}` }) });
  }
  return () => api.stop();
});

async function walk(path: string, key: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (let page = 0; page < 40; page += 1) {
    const { body } = await api.call(`${path}?limit=${limit}${cursor}`, { key });
    expect(body.data.length).toBeLessThanOrEqual(limit);
    expect(body.next_cursor === null).toBe(!body.has_more);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) return found;
    cursor = `&starting_after=${body.next_cursor}`;
  }
  throw new Error(`${path} has no end`);
}

describe.each([
  ['/v1/watches', 'ann', 6],
  ['/v1/channels', 'ann', 7],
  ['/v1/alerts', 'ann', 6],
  ['/v1/deliveries', 'ann', 6],
  ['/v1/keys', 'admin', 7],
  ['/v1/owners', 'admin', 9],
])('%s', (path, who, count) => {
  it.each([1, 2, 3, 200])('reaches everything once, %i a page', async (limit) => {
    const key = who === 'admin' ? adminKey : api.ann.key;
    const whole = await walk(path, key, 200);
    expect(whole).toHaveLength(count);
    expect(new Set(whole).size).toBe(count);
    expect(await walk(path, key, limit)).toEqual(whole);
  });

  it('takes no cursor of something else', async () => {
    const key = who === 'admin' ? adminKey : api.ann.key;
    for (const place of ['nonsense', '', 'near 5 nothing', 'trg_1']) {
      const cursor = Buffer.from(place).toString('base64url');
      const { status, body } = await api.call(`${path}?starting_after=${cursor}`, { key });
      expect([status, body.errors[0].pointer]).toEqual([400, '#/starting_after']);
    }
  });
});
