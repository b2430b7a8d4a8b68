// How far a run has come: what is not polled, matched or told yet, and when the next of it is due.
import type { Feed } from '#shared/polling/feed.ts';
import { shardCount } from '#shared/store/shard.ts';
import type { Stores } from '#shared/store/stores.ts';

export interface Standing {
  /** Events whose newest snapshot is not stored and matched. */
  lagging: number;
  /** Deliveries that are not finished. */
  unfinished: number;
  /** When the first of all that is due, epoch milliseconds; undefined when nothing is left. */
  nextDueAt: number | undefined;
}

/** @param newest the newest snapshot of each event as the marketplace has it, epoch milliseconds. */
export async function readStanding(
  stores: Stores,
  newest: ReadonlyMap<number, number>,
): Promise<Standing> {
  const events = await Promise.all([...newest].map(([eventId, at]) => dueOf(stores, eventId, at)));
  const listings = await Promise.all(
    [...newest].map(([eventId, at]) => listingsDueOf(stores, eventId, at)),
  );
  const lagging = [...events, ...listings].filter((dueAt) => dueAt !== undefined);
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) => stores.deliveries.overdue(shard, Number.MAX_SAFE_INTEGER, 1_000)),
  );
  const unfinished = found.flat().map(({ nextAttemptAt = 0 }) => nextAttemptAt);
  const dueAt = [...lagging, ...unfinished];
  return {
    lagging: lagging.length,
    unfinished: unfinished.length,
    nextDueAt: dueAt.length === 0 ? undefined : Math.min(...dueAt),
  };
}

/** @returns when an event that lags behind comes on, undefined for one that doesn't. */
async function dueOf(stores: Stores, eventId: number, newest: number): Promise<number | undefined> {
  const feed = await stores.feeds.find(eventId, 'stats');
  if ((feed?.lastSnapshotAt ?? 0) < newest || feed?.call) return feed?.nextPollAt ?? 0;
  return unmatchedDueOf(stores, feed, newest);
}

/** Listings beyond every rule's reach are looked at so rarely that a run does not wait for it. */
async function listingsDueOf(
  stores: Stores,
  eventId: number,
  newest: number,
): Promise<number | undefined> {
  const feed = await stores.feeds.find(eventId, 'listings');
  if (feed?.status !== 'active') return undefined;
  const { lastSnapshotAt = 0 } = feed;
  if (feed.call || (lastSnapshotAt < newest && !feed.isOutOfReach)) return feed.nextPollAt ?? 0;
  return lastSnapshotAt === 0 ? undefined : unmatchedDueOf(stores, feed, lastSnapshotAt);
}

/** When the evaluation of what is stored goes on; undefined when it is through. */
async function unmatchedDueOf(
  stores: Stores,
  feed: Feed | undefined,
  newest: number,
): Promise<number | undefined> {
  if (!feed) return 0;
  const { eventId, kind } = feed;
  const evaluation = await stores.evaluations.find({ eventId, kind });
  const isMatched = (evaluation?.evaluatedThrough ?? 0) >= newest;
  return isMatched && !feed.owesNudge ? undefined : (evaluation?.leaseUntil ?? 0);
}
