// Dispatch: claims the feeds whose time has come and hands each to the poll queue, once a slot.
import { claimLeaseMs, type Feed, type FeedKind, type PollMessage } from '#shared/polling/feed.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { FeedStore } from '#shared/store/feeds.ts';
import { shardCount } from '#shared/store/shard.ts';

/** Feeds taken from one shard in one slot: 16 × 1,000 is past what a minute's rate limit lets through. */
const feedsPerShard = 1_000;
/** Conditional writes under way at once. */
const claimsAtOnce = 25;

export interface DispatchResult {
  dispatched: number;
  /** Feeds that somebody else claimed, or that changed, since they were read. */
  lost: number;
}

interface DispatchDeps {
  feeds: Pick<FeedStore, 'due' | 'claim'>;
  sendToPoll: SendMessages;
}

/**
 * The dispatch use case. `slot` is the schedule's own time: a second firing of one slot finds the
 * feeds claimed. A feed whose message was not accepted comes back when its claim's lease runs out.
 */
export function createDispatch({ feeds, sendToPoll }: DispatchDeps) {
  return async function dispatch(
    kind: FeedKind,
    slot: string,
    now: number,
  ): Promise<DispatchResult> {
    const shards = await Promise.all(
      Array.from({ length: shardCount }, (_, shard) => feeds.due(kind, shard, now, feedsPerShard)),
    );
    const due = shards.flat().sort((a, b) => (a.nextPollAt ?? 0) - (b.nextPollAt ?? 0));
    const result: DispatchResult = { dispatched: 0, lost: 0 };
    for (let start = 0; start < due.length; start += claimsAtOnce) {
      const messages = await claimAll(due.slice(start, start + claimsAtOnce), slot, now);
      await sendToPoll(messages.map((body) => ({ body })));
      result.dispatched += messages.length;
    }
    result.lost = due.length - result.dispatched;
    return result;
  };

  async function claimAll(due: readonly Feed[], slot: string, now: number): Promise<PollMessage[]> {
    const claims = await Promise.all(
      due.map(async (feed) => {
        const claim = `${slot}/${feed.nextPollAt}`;
        const isOurs = await feeds.claim(feed, claim, now + claimLeaseMs);
        return isOurs ? { eventId: feed.eventId, kind: feed.kind, claim } : undefined;
      }),
    );
    return claims.filter((message) => message !== undefined);
  }
}
