// A feed: one kind of market data of one event, polled once for everybody who watches it.
import * as z from 'zod';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import { type FeedKind, feedKindSchema } from './feed-kinds.ts';
import type { Rhythm } from './rhythm.ts';

/** Kinds of faulty data: a timestamp, a zone of a snapshot, a whole snapshot, the storing itself. */
export const feedFaultKinds = ['future_stamp', 'zone', 'row', 'storing'] as const;
export type FeedFaultKind = (typeof feedFaultKinds)[number];
export type FeedFaults = { [kind in FeedFaultKind]?: SetAside | undefined };

/**
 * The stored state of one feed. A claim pushes `nextPollAt` forward by the lease, so that a worker that
 * dies gives the feed back by time alone. Times are epoch milliseconds.
 */
export interface Feed {
  eventId: number;
  kind: FeedKind;
  status: 'active' | 'idle' | 'not_found' | 'ended';
  /** The place in the due index. */
  nextPollAt?: number | undefined;
  /** Why the next poll is then (cadence.ts). */
  nextReason?: string | undefined;
  /** Who holds the feed. */
  claim?: string | undefined;
  /** The claim that has gone out to the marketplace and has not been settled yet. */
  call?: { claim: string; at: number } | undefined;
  /** The strongest wish of the live watches; `wishVersion` grows with every change of wishes. */
  latencySeconds: number;
  wishVersion: number;
  watchersChangedAt: number;
  failures: number;
  lastPolledAt?: number | undefined;
  /** The newest stored snapshot's own time. */
  lastSnapshotAt?: number | undefined;
  lastPaidAt?: number | undefined;
  rhythm: Rhythm;
  /** How far the nearest armed level is from the price, as a fraction of it (weight.ts). */
  distance?: number | undefined;
  /** Of listings: no rule can be reached by what the stats last showed (arming.ts). */
  isOutOfReach?: boolean | undefined;
  eventStartsAt?: number | undefined;
  /** Millionths of a pull that a watch which wanted the feed from the beginning would have cost. */
  sharedMicropulls: number;
  /** Who wanted the feed when it last cost a pull; absent when they were many. */
  ownerIds?: string[] | undefined;
  /** How many watches wanted it when it last cost a pull. */
  watches?: number | undefined;
  /** News is stored of which the evaluation has not been told yet. */
  owesNudge?: boolean | undefined;
  /** How far the service's clock was ahead of ours when `lastSnapshotAt` was stored (service-clock.ts). */
  clockOffsetMs?: number | undefined;
  /** Nothing before this is asked for again: it was stored under another clock offset. */
  overlapFrom?: number | undefined;
  /** The newest snapshot that a call has paid for, by the service's clock. */
  paidThrough?: number | undefined;
  /** Timestamps that were of the future when they came, by the service's clock; never taken up. */
  wrongStamps?: number[] | undefined;
  /** Faults of the market's data that were set aside, by their kind. */
  setAside?: FeedFaults | undefined;
  /** Since when the marketplace says that it does not know the event, and how often it has said so. */
  missing?: { since: number; looks: number } | undefined;
  /** The newest snapshot with an active listing, its own time: what still sells is not over. */
  lastLiveAt?: number | undefined;
  /** Since when watchers know that the feed is not well. */
  unwellSince?: number | undefined;
}

/**
 * What the poll queue carries: which feed, the claim under which it was dispatched, and the
 * reservation that its pull comes from.
 */
export const pollMessageSchema = z.object({
  eventId: z.int(),
  kind: feedKindSchema,
  claim: z.string(),
  reservation: z.string(),
  /** Sent to see whether the marketplace takes calls again. */
  trial: z.literal(true).optional(),
});

export type PollMessage = z.infer<typeof pollMessageSchema>;

/** The scheduler's input to dispatch. */
export const dispatchInputSchema = z.object({
  feed_kind: feedKindSchema,
  scheduled_time: z.string().min(1),
});

/** A feed that was polled within this time, or twice its wished latency, tells the present state. */
const currentForMs = 5 * 60_000;

/**
 * Whether the newest stored snapshot is the market's present state: a feed that slept, or is being
 * woken, must be polled before anybody is told what is true now.
 */
export function isCurrent(
  feed: Pick<Feed, 'status' | 'lastPolledAt' | 'latencySeconds'> | undefined,
  now: number,
): boolean {
  if (feed?.status !== 'active' || feed.lastPolledAt === undefined) return false;
  return now - feed.lastPolledAt <= Math.max(currentForMs, 2_000 * feed.latencySeconds);
}
