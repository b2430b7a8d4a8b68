// The stores of one request for many watches: each item is read once, and by its key wherever it has one, so that
// the reads of all watches fit in batches (gathered-reads.ts).
import type { Stores } from '#shared/dynamo/stores.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { once } from './once.ts';

/** The same stores for reads of these watches, within one request. */
export function shareReads(stores: Stores, watches: readonly Watch[]): Stores {
  const byId = new Map(watches.map((watch) => [watch.watchId, watch]));
  const findFeed = once(stores.feeds.find);
  const { snapshots, subscriptions } = stores;

  /** The feed names its newest snapshot; a query would be a request of its own. */
  const newest = once(async (eventId: number, kind: FeedKind) => {
    const known = await findFeed(eventId, kind);
    if (!known) return undefined;
    const at = known.lastSnapshotAt;
    const named = at === undefined ? undefined : await snapshots.at(known, at);
    return named ?? snapshots.newest(known);
  });

  /** Until its first change, a watch has ended no subscription but those that it began with. */
  async function spentBy(eventId: number, watchId: string) {
    const watch = byId.get(watchId);
    const createdAt = Date.parse(watch?.createdAt ?? '');
    const isUnchanged = watch?.version === 1 && Number.isFinite(createdAt);
    if (!isUnchanged) return subscriptions.spentBy(eventId, watchId);
    const reads = feedKinds.map((kind) =>
      subscriptions.spentAt({ eventId, kind, watchId, createdAt }),
    );
    return (await Promise.all(reads)).filter((spent) => spent !== undefined);
  }

  return {
    ...stores,
    channelHealth: { ...stores.channelHealth, find: once(stores.channelHealth.find) },
    channels: { ...stores.channels, find: once(stores.channels.find) },
    evaluations: { ...stores.evaluations, find: once(stores.evaluations.find) },
    eventFacts: { ...stores.eventFacts, find: once(stores.eventFacts.find) },
    feeds: { ...stores.feeds, find: findFeed },
    ownerDefaults: { ...stores.ownerDefaults, find: once(stores.ownerDefaults.find) },
    marketState: { ...stores.marketState, read: once(stores.marketState.read) },
    snapshots: { ...snapshots, newest: ({ eventId, kind }) => newest(eventId, kind) },
    suppressions: { ...stores.suppressions, find: once(stores.suppressions.find) },
    triggers: { ...stores.triggers, find: once(stores.triggers.find) },
    subscriptions: { ...subscriptions, spentBy },
  };
}
