// A feed: one kind of market data of one event, polled once for all watches on it.
import * as z from 'zod';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import type { DayCount } from './day-count.ts';
import { type FeedKind, feedKindSchema } from './feed-kinds.ts';
import type { PriceRecord } from './price-record.ts';
import type { RecentPrices } from './recent-prices.ts';
import type { Rhythm } from './rhythm.ts';
import type { FeedValue } from './value/feed-value.ts';

/** The kinds of faulty data: a timestamp, a zone, a whole snapshot, or a failure to store it. */
export const feedFaultKinds = ['future_stamp', 'zone', 'row', 'storing'] as const;
export type FeedFaultKind = (typeof feedFaultKinds)[number];
export type FeedFaults = { [kind in FeedFaultKind]?: SetAside | undefined };

/**
 * The stored state of one feed. A claim moves `nextPollAt` forward by the lease, so that the feed of a
 * crashed worker becomes due again. Times are epoch milliseconds.
 */
export interface Feed {
  eventId: number;
  kind: FeedKind;
  status: 'active' | 'idle' | 'not_found' | 'ended';
  /** The place in the due index. */
  nextPollAt?: number | undefined;
  /** The reason for the time of the next poll (cadence.ts). */
  nextReason?: string | undefined;
  /** Why that time is worth a pull, in words; absent unless the budget gave the time (value/why-turn.ts). */
  nextWhy?: string | undefined;
  /** The id of the worker's claim. */
  claim?: string | undefined;
  /** The claim whose call was sent to the marketplace and whose cost is not recorded yet. */
  call?: { claim: string; at: number } | undefined;
  /** The smallest latency of the live watches; `wishVersion` grows with every change of subscriptions. */
  latencySeconds: number;
  wishVersion: number;
  watchersChangedAt: number;
  failures: number;
  lastPolledAt?: number | undefined;
  /** The newest stored snapshot's own time. */
  lastSnapshotAt?: number | undefined;
  lastPaidAt?: number | undefined;
  rhythm: Rhythm;
  /** The distance from the price to the nearest armed level, as a fraction of the price (weight.ts). */
  distance?: number | undefined;
  /** For listings: by the last stats, no rule can be reached (arming.ts). */
  isOutOfReach?: boolean | undefined;
  eventStartsAt?: number | undefined;
  /** The cost of one watch that has subscribed since the feed began, in millionths of a pull. */
  sharedMicropulls: number;
  /** The subscribed owners at the last paid pull; absent if they were too many. */
  ownerIds?: string[] | undefined;
  /** The number of subscribed watches at the last paid pull. */
  watches?: number | undefined;
  /** A new snapshot is stored and the nudge to evaluate has not been sent yet. */
  owesNudge?: boolean | undefined;
  /** The service's clock minus ours when `lastSnapshotAt` was stored (service-clock.ts). */
  clockOffsetMs?: number | undefined;
  /** Polls don't ask for anything before this, because it was stored under another clock offset. */
  overlapFrom?: number | undefined;
  /** That other offset. */
  clockBeforeMs?: number | undefined;
  /** The newest snapshot that was paid for, by the service's clock. */
  paidThrough?: number | undefined;
  /** Timestamps that were in the future when they came, by the service's clock; never accepted. */
  wrongStamps?: number[] | undefined;
  /** Faults of the market's data that were set aside, by kind. */
  setAside?: FeedFaults | undefined;
  /** Since when the marketplace has not known the event, and how often it has said so. */
  missing?: { since: number; looks: number } | undefined;
  /** The time of the newest snapshot with an active listing: such an event is not over. */
  lastLiveAt?: number | undefined;
  /** The event's prices of the last day; absent on other feeds than stats. */
  recent?: RecentPrices | undefined;
  /** What decides the value of its next pull. */
  value?: FeedValue | undefined;
  /** The prices since the feed began; absent on other feeds than stats. */
  record?: PriceRecord | undefined;
  /** The successful polls of the last day on which there was one. */
  dayCount?: DayCount | undefined;
  /** When the owners were told that the feed has a fault. */
  unwellSince?: number | undefined;
}

/**
 * A message of the poll queue: the feed, the claim under which it was dispatched, and the reservation for
 * its pull.
 */
export const pollMessageSchema = z.object({
  eventId: z.int(),
  kind: feedKindSchema,
  claim: z.string(),
  reservation: z.string(),
  /** Set for a trial call that tests whether the marketplace accepts calls again. */
  trial: z.literal(true).optional(),
  /** Set if the feed was due before and had to wait, because a cap or its owners’ shares were used up. */
  heldByBudget: z.literal(true).optional(),
});

export type PollMessage = z.infer<typeof pollMessageSchema>;

/** The scheduler's input to dispatch. */
export const dispatchInputSchema = z.object({
  feed_kind: feedKindSchema,
  scheduled_time: z.string().min(1),
});

/** A feed polled within this time, or within twice its latency, is current. */
const currentForMs = 5 * 60_000;

/**
 * Whether the newest stored snapshot shows the current market. A feed that was idle must be polled before
 * alerts use its data.
 */
export function isCurrent(
  feed: Pick<Feed, 'status' | 'lastPolledAt' | 'latencySeconds'> | undefined,
  now: number,
): boolean {
  if (feed?.status !== 'active' || feed.lastPolledAt === undefined) return false;
  return now - feed.lastPolledAt <= Math.max(currentForMs, 2_000 * feed.latencySeconds);
}
