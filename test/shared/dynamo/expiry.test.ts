// How long each item is kept that the tables' TTL deletes. The emulator deletes nothing, so an item that
// expired at once would go unseen.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createBeginJob } from '#functions/api/jobs/begin-job.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { operatorNotice, watcherNotice } from '#shared/polling/notice.ts';
import { marketplaceDownText } from '#shared/polling/notice-texts.ts';
import { pullOf } from '#shared/polling/pull.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { anAlert } from '#test/support/alerts.ts';
import { statsAt } from '#test/support/api.ts';
import { aChannel } from '#test/support/delivering.ts';
import { aLivingMessage } from '#test/support/living-messages.ts';
import { startDynaliteTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600;
const day = 24 * hour;
const snapshot = { feedKind: 'listings', eventId: 7, observedAt: now, filters: {} } as const;
const aRolledHour = {
  startsAt: now,
  summary: { low: 1, high: 2, last: 2, lastAt: now, rest: null } as never,
  points: [],
};
const aDelivery = newDelivery(
  {
    ...{ deliveryId: 'dlv_1', purpose: 'alert', ownerId: 'own_1', channelId: 'ch_1' },
    channelKind: 'email',
  },
  { now },
);
const aWatch: Watch = {
  ...{ watchId: 'wat_1', ownerId: 'own_1', version: 1, status: 'active', eventId: 7, rules: [] },
  ...{ channelIds: [], latencySeconds: 60, createdAt: '', updatedAt: '' },
};
const aboutWatch = { watchId: 'wat_1', ownerId: 'own_1', eventId: 7, cause: 'a' };

it.each<[string, number, (stores: Stores) => Promise<unknown>]>([
  ['a snapshot', 90 * day, ({ snapshots }) => snapshots.create(snapshot, now)],
  ['a replaced snapshot', 90 * day, ({ snapshots }) => snapshots.replace(snapshot, now)],
  [
    'an amended snapshot',
    90 * day,
    async ({ snapshots }) => {
      await snapshots.create(snapshot, now);
      const count = { count: 1, cheapestCents: null, newCheapestCents: null, matches: [] };
      await snapshots.amend({ ...snapshot, filters: { any: count } });
    },
  ],
  [
    'a day of prices',
    730 * day,
    ({ priceDays }) => priceDays.addAll(7, [statsAt(now, 90)], { readStored: async () => [], now }),
  ],
  ['an hour', 730 * day, ({ rollups }) => rollups.putHour(7, 'stats/get_in', aRolledHour, now)],
  [
    'a row of the ledger',
    400 * day,
    ({ pulls }) =>
      pulls.create(
        pullOf({
          ...{ claim: 'a', eventId: 7, kind: 'stats', pulls: 1, reason: 'test', watches: 1 },
          ...{ pulledAt: now, state: 'settled' },
        }),
      ),
  ],
  [
    'a notice to the operator',
    400 * day,
    ({ notices }) => notices.create(operatorNotice(marketplaceDownText, 'a', now)),
  ],
  [
    'a notice to an owner',
    400 * day,
    ({ notices }) => notices.create(watcherNotice(marketplaceDownText, aboutWatch, now)),
  ],
  ['an owner’s day', 40 * day, ({ budget }) => budget.chargeOwner('2026-03-01', 'own_1', 1)],
  [
    'an owner’s day within a limit',
    40 * day,
    ({ budget }) => budget.chargeOwnerWithin('2026-03-01', 'own_1', { pulls: 1, most: 5 }),
  ],
  [
    'a counter, after its window',
    2 * hour + day,
    ({ tallies }) =>
      tallies.take({ name: 'a', startsAt: now, endsAt: now + 7_200_000, ceiling: 1 }),
  ],
  [
    'a window of shared calls',
    hour,
    async ({ windowShares }) =>
      windowShares.add(await windowShares.read('search', now / 1_000), 'own_1'),
  ],
  ['a count of requests', hour, ({ requestCounts }) => requestCounts.add('key_1', now / 1_000)],
  ['a sender’s slot, after its lease', 90 + day, ({ senderSlots }) => senderSlots(aChannel(), now)],
  ['an alert', 400 * day, ({ alerts }) => alerts.create(anAlert({ firedAt: now }))],
  ['a delivery', 400 * day, ({ deliveries }) => deliveries.create(aDelivery)],
  [
    'a living message, after the date of its event has ended everywhere',
    7 * day + 12 * hour + day,
    ({ livingMessages }) => livingMessages.keep(aLivingMessage({}, now)),
  ],
  [
    'a living message of an event without a date',
    30 * day,
    ({ livingMessages }) =>
      livingMessages.keep(aLivingMessage({ alert: { eventDate: undefined } }, now)),
  ],
  [
    'the decision about an alert',
    400 * day,
    ({ dispositions }) =>
      dispositions.decideOnce({ alertId: 'alt_1', channelId: 'ch_1' }, async () => ({
        ...{ alertId: 'alt_1', channelId: 'ch_1', kind: 'send', decidedAt: now, dueAt: now },
      })),
  ],
  ['a version of a watch', 90 * day, ({ watchVersions }) => watchVersions.keep(aWatch, now)],
  [
    'an idempotent answer',
    day,
    ({ idempotency }) =>
      idempotency.begin({ keyId: 'key_1', route: 'POST /watches', key: 'a' }, 'print', now),
  ],
  [
    'a job and the rows of its lots',
    7 * day,
    (stores) =>
      createBeginJob({ stores, sendJobs: async () => {} })({
        ...{ jobId: 'job_1', ownerId: 'own_1', kind: 'import', lots: [[1, 2], [3]], now },
      }),
  ],
  [
    'a count of confirmation mails',
    day,
    ({ confirmationMails }) => confirmationMails.take('ann@example.com', now),
  ],
])('%s is kept for %i s', async (_what, seconds, write) => {
  const { client, names, stores, stop } = await startDynaliteTables();
  await write(stores);
  const scans = Object.values(names).map((TableName) =>
    client.send(new ScanCommand({ TableName })),
  );
  const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items);
  const kept = items.map((each) => each.expiresAtEpochSeconds - now / 1_000);
  expect(new Set(kept)).toEqual(new Set([seconds]));
  await stop();
});
