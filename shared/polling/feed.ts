// A feed: one kind of market data of one event, polled once for everybody who watches it.
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';

export const feedKinds = ['stats', 'listings'] as const;
export const feedKindSchema = z.enum(feedKinds);
export type FeedKind = z.infer<typeof feedKindSchema>;

/**
 * `nextPollAt` is the place in the due index. A claim pushes it forward by the lease, so that a
 * worker that dies gives the feed back by time alone; `claim` says who holds it.
 * Times are epoch milliseconds; `lastSnapshotAt` is the newest stored snapshot's own time.
 */
export const feedSchema = item({
  eventId: number().key(),
  kind: string()
    .enum(...feedKinds)
    .key(),
  status: string().enum('active', 'idle', 'not_found', 'ended', 'paused_budget'),
  nextPollAt: number().optional(),
  claim: string().optional(),
  latencySeconds: number(),
  failures: number(),
  lastPolledAt: number().optional(),
  lastSnapshotAt: number().optional(),
  watchersChangedAt: number(),
});

export type Feed = FormattedValue<typeof feedSchema>;

/** What the poll queue carries: which feed, and the claim under which it was dispatched. */
export const pollMessageSchema = z.object({
  eventId: z.int(),
  kind: feedKindSchema,
  claim: z.string(),
});

export type PollMessage = z.infer<typeof pollMessageSchema>;

/** The scheduler's input to dispatch. */
export const dispatchInputSchema = z.object({
  feed_kind: feedKindSchema,
  scheduled_time: z.string().min(1),
});

/** How long a claimed feed is out of the due index: past the longest life of a poll message's first try. */
export const claimLeaseMs = 5 * 60_000;

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
