// The progress of a run: what is not yet polled, matched or sent, and when the next work is due.
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { OddThings } from './damage.ts';
import { storedTimeOf } from './oracle/our-time.ts';
import type { OpenTables } from './product.ts';

export interface Standing {
  /** Number of events whose newest snapshot is not stored and matched. */
  lagging: number;
  /** Number of deliveries that are not finished. */
  unfinished: number;
  /** Number of feeds whose messages will be edited. */
  edits: number;
  /** The earliest due time of all that, epoch milliseconds; undefined when nothing is left. */
  nextDueAt: number | undefined;
}

/** A queue delays a message by whole seconds. */
const queueMs = 2_000;
/** Maximum difference between an expected and a stored time. */
const nearMs = 15_000;

export interface Awaited {
  /** By the run's clock, epoch milliseconds. */
  now: number;
  /** The newest snapshot of each event by the marketplace's clock, epoch milliseconds. */
  newest: ReadonlyMap<number, number>;
  /** How far that clock is ahead of ours, milliseconds. */
  marketAheadMs: number;
  odd: OddThings;
  /** Whether the run doesn't wait for the odd owner's things. */
  isDamaged?: boolean;
  /** Whether the run doesn't wait for alerts that wait for their owner's hours. */
  leavesHeld?: boolean;
}

export async function readStanding(tables: OpenTables, awaited: Awaited): Promise<Standing> {
  const { stores } = tables;
  const { newest, marketAheadMs } = awaited;
  const refreshes = [...newest].map(([eventId, stamp]) => ({ eventId, stamp, marketAheadMs }));
  const lags = await Promise.all([
    ...refreshes.map((refresh) => dueOf(stores, refresh)),
    ...refreshes.map((refresh) => listingsDueOf(stores, refresh)),
  ]);
  const lagging = lags.filter((dueAt) => dueAt !== undefined);
  const unfinished = (await readUnfinished(tables, awaited)).map(({ dueAt }) => dueAt);
  const edits = await readPlannedEdits(stores, awaited);
  const dueAt = [...lagging, ...unfinished, ...edits];
  return {
    lagging: lagging.length,
    unfinished: unfinished.length,
    edits: edits.length,
    nextDueAt: dueAt.length === 0 ? undefined : Math.min(...dueAt),
  };
}

/** When the planned runs of edits are due. A run that was lost is not planned any more. */
async function readPlannedEdits(
  { evaluations }: Stores,
  { newest, now }: Awaited,
): Promise<number[]> {
  const feeds = [...newest.keys()].flatMap((eventId) =>
    feedKinds.map((kind) => evaluations.find({ eventId, kind })),
  );
  const found = await Promise.all(feeds);
  return found.flatMap((evaluation) => {
    const { livingMarks, editsDueAt = 0 } = evaluation ?? {};
    const madeAt = editsDueAt + queueMs;
    return livingMarks !== undefined && madeAt > now ? [madeAt] : [];
  });
}

/** Read as stored, because the product refuses to parse damaged items. */
async function readUnfinished(
  { client, tables }: OpenTables,
  { odd, isDamaged, leavesHeld }: Awaited,
): Promise<{ dueAt: number }[]> {
  const [table] = tables;
  const scan = new ScanCommand({
    TableName: table,
    FilterExpression: 'attribute_exists(unfinishedShard) AND entity = :delivery',
    ExpressionAttributeValues: { ':delivery': { S: 'delivery' } },
  });
  const { Items = [] } = await client.send(scan);
  return Items.filter(({ ownerId, heldFor }) => {
    if (isDamaged && ownerId?.S === odd.ownerId) return false;
    return !(leavesHeld && heldFor !== undefined);
  }).map(({ nextAttemptAt }) => ({ dueAt: Number(nextAttemptAt?.N ?? 0) }));
}

interface Refresh {
  eventId: number;
  /** By the marketplace's clock, epoch milliseconds. */
  stamp: number;
  marketAheadMs: number;
}

/** @returns when the processing of a late event continues, undefined if the event is not late. */
async function dueOf(stores: Stores, refresh: Refresh): Promise<number | undefined> {
  const feed = await stores.feeds.find(refresh.eventId, 'stats');
  const storedAt = await storedTime(stores, refresh, 'stats');
  if (storedAt === undefined || feed?.call) return nextLookAt(feed);
  return unmatchedDueOf(stores, feed, storedAt);
}

/** Listings out of every rule's reach are polled so rarely that a run does not wait for them. */
async function listingsDueOf(stores: Stores, refresh: Refresh): Promise<number | undefined> {
  const feed = await stores.feeds.find(refresh.eventId, 'listings');
  if (!feed || feed.status === 'idle') return undefined;
  const storedAt = await storedTime(stores, refresh, 'listings');
  if (feed.call || (storedAt === undefined && !feed.isOutOfReach)) return nextLookAt(feed);
  const newest = storedAt ?? feed.lastSnapshotAt;
  return newest === undefined ? undefined : unmatchedDueOf(stores, feed, newest);
}

/** Reconcile wakes a resting feed in its turn, so the feed's own next poll time does not count. */
function nextLookAt(feed: Feed | undefined): number {
  return feed?.status === 'active' ? (feed.nextPollAt ?? 0) : 0;
}

/** The time under which the refresh is stored; undefined when it is not. */
async function storedTime(
  stores: Stores,
  { eventId, stamp, marketAheadMs }: Refresh,
  kind: 'stats' | 'listings',
): Promise<number | undefined> {
  const meant = stamp - marketAheadMs;
  const near = await stores.snapshots.between({ eventId, kind }, meant - nearMs, meant + nearMs);
  const stored = new Set(near.map(({ observedAt }) => observedAt));
  return storedTimeOf(stamp, { stored, marketAheadMs });
}

/** When the evaluation of the stored snapshots continues; undefined when it is complete. */
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
