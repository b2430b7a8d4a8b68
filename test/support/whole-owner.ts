// An owner with something of each kind that is stored: for tests that export or delete everything.
import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { newDelivery } from '#shared/delivery/delivery.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { watcherNotice } from '#shared/polling/notice.ts';
import { marketplaceDownText } from '#shared/polling/notice-texts.ts';
import { anAlert } from './alerts.ts';
import { type Api, adminKey, anyVersion, eventId, levelRule } from './api.ts';
import { aChannel } from './delivering.ts';
import { aJob } from './jobs.ts';
import { aLivingMessage } from './living-messages.ts';

export interface WholeOwner {
  ownerId: string;
  key: string;
  keyId: string;
  watchIds: string[];
  channelId: string;
  /** Texts that name the owner, or that only it knows. */
  names: string[];
}

/** Everything stored, of both tables. */
export async function everyItem({ client, names }: Pick<Api, 'client' | 'names'>) {
  const found: RawItem[] = [];
  for (const TableName of [names.WATCHLIST_TABLE, names.SNAPSHOTS_TABLE]) {
    let next: Record<string, unknown> | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: next }));
      found.push(...(page.Items ?? []));
      next = page.LastEvaluatedKey;
    } while (next);
  }
  return found;
}

/** The text of items, in which names can be looked for. */
export function textOf(items: readonly unknown[]): string {
  return JSON.stringify(items, (_, value) => (value instanceof Set ? [...value] : value));
}

/** Makes the owner `name`; `watches` on one event. */
export async function makeWholeOwner(api: Api, name: string, watches = 3): Promise<WholeOwner> {
  const { body: owner } = await api.call('/v1/owners', { key: adminKey, body: { name } });
  const ownerId: string = owner.id;
  const { body: first } = await api.call('/v1/keys', {
    key: adminKey,
    body: { owner_id: ownerId, name: `key of ${name}`, scope: 'write' },
  });
  const { key } = first;
  const as = (path: string, sent: object = {}) => api.call(path, { key, ...sent });
  const address = `reader@${name}.example`;
  const keyed = { 'idempotency-key': randomUUID() };
  const { body: mail } = await as('/v1/channels', {
    body: { kind: 'email', address, name: `mail of ${name}` },
    headers: keyed,
  });
  await api.stores.channels.changeStatus(mail.id, ['unverified'], { status: 'active' });
  const url = `https://hooks.example.com/path-of-${name}`;
  const { body: hook } = await as('/v1/channels', { body: { kind: 'webhook', url } });
  const watchIds: string[] = [];
  for (let number = 0; number < watches; number += 1) {
    const { body } = await as('/v1/watches', {
      body: {
        ...{ event_id: eventId, name: `watch ${number} of ${name}` },
        ...{ rules: [levelRule(10 + number)], channels: [mail.id], tags: [`tag-of-${name}`] },
      },
    });
    watchIds.push(body.id);
  }
  const [edited = ''] = watchIds;
  await as(`/v1/watches/${edited}`, {
    method: 'PATCH',
    body: { latency_seconds: 3_600 },
    headers: anyVersion,
  });
  const { body: gone } = await as('/v1/watches', {
    body: {
      ...{ event_id: eventId, name: `deleted watch of ${name}` },
      ...{ rules: [levelRule(5)], channels: [mail.id] },
    },
  });
  await as(`/v1/watches/${gone.id}`, { method: 'DELETE', headers: anyVersion });
  watchIds.push(gone.id);
  await as('/v1/defaults', {
    method: 'PATCH',
    body: { tags: { [`tag-of-${name}`]: { channels: [mail.id] } } },
    headers: anyVersion,
  });
  await as(`/v1/keys/${first.id}/rotation`, { method: 'POST' });
  await storeApart(api, { ownerId, name, channelId: mail.id, watchId: edited });
  return {
    ...{ ownerId, key, keyId: first.id, watchIds, channelId: mail.id },
    names: [ownerId, name, address, `path-of-${name}`, hook.secret, ...watchIds, mail.id, first.id],
  };
}

/** What functions other than the API store. */
async function storeApart(
  { stores, clock }: Api,
  of: { ownerId: string; name: string; channelId: string; watchId: string },
): Promise<void> {
  const { ownerId, name, channelId, watchId } = of;
  const now = clock.now;
  const alertId = `alt_${name}_1`;
  await stores.alerts.create(
    anAlert({ alertId, ownerId, watchId, channelIds: [channelId], firedAt: now }),
  );
  const deliveryId = `dlv_${name}`;
  await stores.dispositions.decideOnce({ alertId, channelId }, async () => ({
    ...{ alertId, channelId, kind: 'send', deliveryId, decidedAt: now, dueAt: now },
  }));
  const delivery = newDelivery(
    { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
    { now },
  );
  await stores.deliveries.create({ ...delivery, alertIds: new Set([alertId]) });
  await stores.livingMessages.keep(
    aLivingMessage({ alertId, deliveryId, ownerId, watchId, channelId, eventId }, now),
  );
  const about = { watchId, ownerId, eventId, cause: 'test' };
  await stores.notices.create(watcherNotice(marketplaceDownText, about, now));
  await stores.channelHealth.countFailure(channelId, {
    ...{ now, lastReason: 'http_500', isPerhapsGone: false },
  });
  await stores.suppressions.countSoftBounce(`reader@${name}.example`, 'bounce', now);
  await stores.budget.chargeOwner(new Date(now).toISOString().slice(0, 10), ownerId, 5);
  const before = await stores.budget.settings();
  const ownerShares = { ...before.ownerShares, [ownerId]: 0.5 };
  await stores.budget.replaceSettings(before, { ...before, ownerShares });
  const jobId = `job_${name}`;
  const job = aJob({ jobId, ownerId, createdAt: now });
  await stores.jobs.putRows({ jobId, part: 'input', lot: 0 }, [{ name }], job);
  await stores.jobs.create(job);
  const slot = { ...aChannel(), ownerId };
  await stores.senderSlots(slot, now);
  await stores.windowShares.add(
    await stores.windowShares.read('search', Math.floor(now / 1_000)),
    ownerId,
  );
}
