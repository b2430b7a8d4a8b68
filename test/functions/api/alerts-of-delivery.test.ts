// The address in a webhook's body that left alerts out: it lists exactly those, for their owner.
import { beforeEach, describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { webhookBody } from '#shared/delivery/message/webhook-body.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, startApi, startMs } from '#test/support/api.ts';
import { outgoingOf } from '#test/support/messages.ts';

let api: Api;
const deliveryId = `dlv_${'d'.repeat(32)}`;
const idOf = (index: number) => `alt_${String(index).padStart(32, '0')}_1`;
const indexes = Array.from({ length: 45 }, (_, index) => index);

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

/** A delivery of 45 alerts, of which the message tells all but the first three, the newest first. */
async function deliver() {
  const { ownerId, channelId } = api.ann;
  const alerts = indexes.map((index) =>
    anAlert({ alertId: idOf(index), ownerId, eventId: 1 + (index % 2), firedAt: startMs + index }),
  );
  await Promise.all(alerts.map(api.stores.alerts.create));
  const alertIds = new Set(indexes.map(idOf));
  const about = { deliveryId, ownerId, channelId, purpose: 'alert', alertIds } as const;
  const delivery = newDelivery({ ...about, channelKind: 'webhook' }, { now: startMs });
  await api.stores.deliveries.create(delivery);
  const told = outgoingOf({ alerts: alerts.slice(3).toReversed() });
  const { data } = JSON.parse(webhookBody({ ...told, deliveryId, alertIds }, 2));
  return { untold: data.more_ids as string[], path: pathOf(data.more_url) };
}

const pathOf = (url: string) => url.replace('https://getin.example', '');
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('the address of the alerts that a webhook left out', () => {
  it('lists exactly these, newest first, while the delivery is not recorded yet', async () => {
    const { untold, path } = await deliver();
    expect(untold.length).toBeGreaterThan(10);
    const { status, body } = await api.call(path);
    expect([status, body.has_more]).toEqual([200, false]);
    expect(idsOf(body.data)).toEqual(untold);
  });

  it('has pages, and takes further filters', async () => {
    const { untold, path } = await deliver();
    const first = await api.call(`${path}&limit=4`);
    const next = await api.call(`${path}&limit=200&starting_after=${first.body.next_cursor}`);
    expect(idsOf([...first.body.data, ...next.body.data])).toEqual(untold);
    const { body } = await api.call(`${path}&event_id=2`);
    expect(idsOf(body.data)).toEqual(untold.filter((id) => Number(id.slice(4, 36)) % 2 === 1));
  });

  it('without its mark lists every alert of the delivery', async () => {
    const { path } = await deliver();
    const { body } = await api.call(path.replace(/&untold=.*/, ''));
    expect(idsOf(body.data)).toEqual(indexes.toReversed().map(idOf));
  });

  it('shows nothing to another owner, and nothing of no delivery', async () => {
    const { path } = await deliver();
    expect((await api.call(path, { key: api.bob.key })).status).toBe(404);
    expect((await api.call('/v1/alerts?delivery_id=dlv_none')).status).toBe(404);
  });

  it.each([
    [`delivery_id=${deliveryId}&untold=44-AAAAAAAA`, 'is not of this delivery as it is now'],
    [`delivery_id=${deliveryId}&untold=45-AAAA`, 'is not of this delivery as it is now'],
    [`delivery_id=${deliveryId}&untold=all`, 'must be copied from the `more_url` of a webhook'],
    ['untold=45-AAAAAAAA', 'must come with `delivery_id`'],
  ])('refuses %s: it %s', async (query, words) => {
    await deliver();
    const { status, body } = await api.call(`/v1/alerts?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, '#/untold']);
    expect(body.errors[0].detail).toContain(words);
  });
});
