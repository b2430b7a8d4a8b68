// An event that was polled: its snapshots are stored, and its feed names the newest.
import type { PollRecord } from '#shared/dynamo/feed-polls.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

/** Stores the snapshots, oldest first, as a poll of the stats at the newest one's time does. */
export async function storePolled(
  {
    feeds,
    priceDays,
    snapshots,
    subscriptions,
  }: Pick<Stores, 'feeds' | 'priceDays' | 'snapshots' | 'subscriptions'>,
  found: readonly MarketSnapshot[],
  record: Partial<PollRecord> = {},
): Promise<void> {
  const newest = found.at(-1);
  if (!newest) return;
  const { eventId, observedAt: now } = newest;
  const key = { eventId, kind: 'stats' } as const;
  const before = await feeds.find(eventId, 'stats');
  if (!before) {
    const watchId = `wat_${'f'.repeat(32)}`;
    await subscriptions.add({ ...key, watchId, ownerId: 'own_other', latencySeconds: 600 }, now);
  }
  const feed = await feeds.find(eventId, 'stats');
  if (!feed || !(await feeds.claim(feed, 'test', now))) throw new Error('the feed is held');
  await snapshots.createAll(found, now);
  await priceDays.addAll(eventId, found, { readStored: async () => [], now });
  await feeds.finishPoll(key, 'test', {
    ...{ micropulls: 0, failures: 0, nextPollAt: now + 600_000, nextReason: 'usual' },
    ...{ lastPolledAt: now, lastSnapshotAt: now, settles: true },
    ...record,
  });
}
