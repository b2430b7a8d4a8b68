// Reads whose answer decides a write are consistent. The emulator answers every read with the newest item, so
// these tests look at the requests.
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import { createSubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import { openTables, type WatchlistTable } from '#shared/dynamo/tables.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { statsAt } from '#test/support/api.ts';
import { aChannel } from '#test/support/delivering.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const feed = { eventId: 7, kind: 'listings' } as const;
const names = { WATCHLIST_TABLE: 'Watchlist', SNAPSHOTS_TABLE: 'Snapshots' };

/** Answers from empty tables and refuses every conditional write; notes the `ConsistentRead` of each read. */
function openEmpty(items: Record<string, unknown>[] = []) {
  const notedReads: unknown[] = [];
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }),
  );
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        if ('ConditionExpression' in input) {
          throw new ConditionalCheckFailedException({ $metadata: {}, message: 'refused' });
        }
        if (!('Item' in input)) notedReads.push('ConsistentRead' in input && input.ConsistentRead);
        return { output: { $metadata: {}, Item: items[0], Items: items } as never, response: {} };
      },
    { step: 'initialize', name: 'empty' },
  );
  return { client, notedReads };
}

const sync = (watchlist: WatchlistTable) => {
  const active = { status: 'active', latencySeconds: 60 } as Feed;
  const feeds = { find: async () => active, wake: async () => {}, setLatency: async () => true };
  return createSubscriptionStore(watchlist, feeds as never).syncSubscriptions(feed);
};

const reads: Record<string, (stores: Stores) => Promise<unknown>> = {
  'an alert': ({ alerts }) => alerts.find('alt_1'),
  'an API key': ({ apiKeys }) => apiKeys.findByHash('hash'),
  'the budget': ({ budget }) => budget.read(),
  'the failures of a channel': ({ channelHealth }) => channelHealth.find('ch_1'),
  'a channel': ({ channels }) => channels.find('ch_1'),
  'the confirmation mails of a mailbox': ({ confirmationMails }) =>
    confirmationMails.take('ann@example.com', now).catch(() => {}),
  'a day of prices that grows': ({ priceDays }) => {
    const adding = { readStored: async () => [], now };
    return priceDays.addAll(7, [statsAt(now, 90)], adding).catch(() => {});
  },
  'the days of a chart': ({ priceDays }) => priceDays.read(7, { from: now, to: now }, 1),
  'the snapshots of a chart': ({ snapshots }) =>
    snapshots.chartLooks(
      { eventId: 7, kind: 'stats' },
      { from: now - 1, through: now, zones: [] },
      { snapshots: 1, pages: 1 },
    ),
  'a delivery': ({ deliveries }) => deliveries.find('dlv_1'),
  'a decision about an alert': ({ dispositions }) =>
    dispositions.decideOnce({ alertId: 'alt_1', channelId: 'ch_1' }, async () => ({
      ...{ alertId: 'alt_1', channelId: 'ch_1', kind: 'send', deliveryId: 'dlv_1' },
      ...{ decidedAt: now, dueAt: now },
    })),
  'every decision about an alert': ({ dispositions }) => dispositions.ofAlert('alt_1'),
  'an evaluation': ({ evaluations }) => evaluations.find(feed),
  'a feed': ({ feeds }) => feeds.find(7, 'stats'),
  'an idempotent answer': ({ idempotency }) =>
    idempotency.find({ keyId: 'key_1', route: 'POST /watches', key: 'a' }, now),
  'a job': ({ jobs }) => jobs.find('job_1'),
  'the rows of a job': ({ jobs }) => jobs.readRows({ jobId: 'job_1', part: 'input', lot: 0 }),
  'the state of the marketplace': ({ marketState }) => marketState.read(),
  'a notice': ({ notices }) => notices.find('ntc_1'),
  'the defaults of an owner': ({ ownerDefaults }) => ownerDefaults.find('own_1'),
  'the ledger of a day': ({ pulls }) => pulls.ofDay('2026-03-01'),
  'a quota count': ({ quotas }) =>
    quotas.take({ ownerId: 'own_1', kind: 'watches', now }, { wanted: 1, most: 5 }, async () => 0),
  'the rolled-up hours of a series': ({ rollups }) => rollups.findCoverage(7, 'stats/get_in'),
  'the hourly values of a series': ({ rollups }) =>
    rollups.summaries({ eventId: 7, base: 'stats/get_in', from: 0, to: now }),
  'the single values of a series': ({ rollups }) =>
    rollups.points({ eventId: 7, base: 'stats/get_in', from: 0, to: now }),
  'the slots of an owner': ({ senderSlots }) => senderSlots(aChannel(), now),
  'the series of an event': ({ seriesInUse }) => seriesInUse.list(7),
  'the snapshots after a time': ({ snapshots }) => snapshots.after(feed, now, 10),
  'the newest snapshot': ({ snapshots }) => snapshots.newest(feed),
  'the latest snapshots': ({ snapshots }) => snapshots.latest(feed, now, 10),
  'the snapshots of a time range': ({ snapshots }) => snapshots.between(feed, 0, now),
  'a snapshot that is amended': ({ snapshots }) =>
    snapshots.amend({ feedKind: 'listings', eventId: 7, observedAt: now, filters: {} }),
  'snapshots that are removed': ({ snapshots }) => snapshots.removeAfter(feed, now),
  'the suppression of an address': ({ suppressions }) => suppressions.find('ann@example.com'),
  'the position of the table walk': ({ tableWalk }) => tableWalk.find(),
  'a trigger': ({ triggers }) => triggers.find('trg_1'),
  'the raw item of a trigger': ({ triggers }) => triggers.inspect('trg_1'),
  'the claim of a question': ({ watchClaims }) => watchClaims.find('own_1', 'question'),
  'a watch': ({ watches }) => watches.find('wat_1'),
  'an earlier version of a watch': ({ watchVersions }) => watchVersions.find('wat_1', 1, now),
  'the earlier versions of a watch': ({ watchVersions }) =>
    watchVersions.listBefore('wat_1', 9, { limit: 5, now }),
  'the use of a shared window': ({ windowShares }) => windowShares.read('search', 60),
  'a subscription': ({ subscriptions }) =>
    subscriptions.end({ ...feed, watchId: 'wat_1', latencySeconds: 60 }),
  'the subscriptions of a feed': ({ subscriptions }) => subscriptions.of(feed),
};

it.each(Object.entries(reads))('the read of %s is consistent', async (_what, read) => {
  const { client, notedReads } = openEmpty();
  await read(openStores(client, names, everyStore));
  expect(notedReads.length).toBeGreaterThan(0);
  expect(new Set(notedReads)).toEqual(new Set([true]));
});

it('the read of the strongest subscription is consistent', async () => {
  const { client, notedReads } = openEmpty();
  await sync(openTables(client, names).watchlist);
  expect(notedReads).toEqual([true]);
});

it('the reads that heal a damaged budget are consistent', async () => {
  const { client, notedReads } = openEmpty([{ pk: 'BUDGET', sk: 'BUDGET', moves: 'odd' }]);
  await openStores(client, names, everyStore)
    .budget.current(now)
    .catch(() => {});
  expect(notedReads.length).toBeGreaterThan(2);
  expect(new Set(notedReads)).toEqual(new Set([true]));
});
