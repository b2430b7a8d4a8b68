// A deleted channel leaves its address, URL and secret nowhere.
import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { storableChannelTitle } from '#shared/delivery/message/channel-title.ts';
import { blockedNotice } from '#shared/delivery/message/message-kinds.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import {
  type Api,
  anyVersion,
  eventId,
  levelRule,
  signedLinks,
  startApi,
  startMs,
} from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  return () => api.stop();
});

const address = 'private-reader@mail.example';
const url = 'https://hooks.example.com/inbox/private-path-of-ann';

async function stored(): Promise<string> {
  const tables = [api.names.WATCHLIST_TABLE, api.names.SNAPSHOTS_TABLE];
  const scans = tables.map((TableName) => api.client.send(new ScanCommand({ TableName })));
  const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items);
  return JSON.stringify(items, (_, value) => (value instanceof Set ? [...value] : value));
}

const make = (body: object) =>
  api.call('/v1/channels', { body, headers: { 'idempotency-key': randomUUID() } });

async function use(id: string): Promise<void> {
  const { body } = await api.call('/v1/watches', {
    body: { event_id: eventId, name: id, rules: [levelRule(80)], channels: [id] },
  });
  expect(body.id).toMatch(/^wat_/);
}

const remove = (id: string) =>
  api.call(`/v1/channels/${id}?force=true`, { method: 'DELETE', headers: anyVersion });

it('a mail channel leaves no address', async () => {
  const { ownerId } = api.ann;
  const { body: made } = await make({ kind: 'email', address });
  await api.stores.channels.changeStatus(made.id, ['unverified'], { status: 'active' });
  await use(made.id);
  const channel = (await api.stores.channels.find(made.id)) ?? expect.fail('it is there');
  await api.stores.suppressions.countSoftBounce(address, 'bounce 1', startMs);
  await api.stores.suppressions.suppress(address, 'complaint', startMs);
  await api.stores.channelHealth.countFailure(made.id, {
    ...{ now: startMs, lastReason: 'MessageRejected', isPerhapsGone: true },
  });
  const senders = { email: async () => {}, webhook: async () => {} };
  await createTellOwner({ ...api.stores, senders: senders as never })({
    ...{ ownerId, subject: 'blocked', exceptChannelId: made.id, now: startMs },
    notice: blockedNotice(storableChannelTitle(channel), 'complaint'),
  });
  expect(await stored()).toContain('private-reader');

  expect((await remove(made.id)).status).toBe(204);
  expect(await stored()).not.toContain('private-reader');
  expect(await api.stores.channelHealth.find(made.id)).toBeUndefined();
  // The address itself stays blocked: its reader has complained.
  expect(await api.stores.suppressions.reasonFor(address.toUpperCase())).toBe('complaint');
});

it('a webhook leaves no URL and no secret', async () => {
  const { body: made } = await make({ kind: 'webhook', url });
  await use(made.id);
  await api.call(`/v1/channels/${made.id}/test`, { method: 'POST' });
  const before = await stored();
  expect([before.includes('private-path'), before.includes(made.secret)]).toEqual([true, true]);

  expect((await remove(made.id)).status).toBe(204);
  const after = await stored();
  expect([after.includes('private-path'), after.includes(made.secret)]).toEqual([false, false]);
});

it('the links of a deleted channel say that it is deleted, and a mail client’s unsubscribe succeeds', async () => {
  const { body: made } = await make({ kind: 'webhook', url });
  const link = new URL(await signedLinks.manageUrl(made.id)).pathname;
  await remove(made.id);
  const page = await api.app.request(link);
  expect([page.status, (await page.text()).includes('Nothing more comes here')]).toEqual([
    200,
    true,
  ]);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await api.app.request(link, { method: 'POST', body })).status).toBe(200);
  expect((await api.app.request(`/l/${'A'.repeat(52)}`)).status).toBe(404);
});
