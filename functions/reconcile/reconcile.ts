// Reconcile: finds what a crash or a lost message left behind and sets it going again. It sends only
// messages that are harmless to send twice.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { type Feed, feedKinds } from '#shared/polling/feed.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';
import { alone } from './each-alone.ts';
import { releaseDeliveries } from './release-deliveries.ts';

/** An event whose feed was polled longer ago has been looked at by an earlier run. */
const polledWithinMs = 15 * 60_000;

export interface ReconcileResult {
  deliveries: number;
  events: number;
}

interface ReconcileDeps {
  deliveries: Pick<DeliveryStore, 'overdue'>;
  feeds: Pick<FeedStore, 'active'>;
  evaluations: Pick<EvaluationStore, 'find'>;
  senders: Record<ChannelKind, SendMessages>;
  sendNudges: SendMessages;
}

/** The use case; `now` is epoch milliseconds. */
export function createReconcile(deps: ReconcileDeps) {
  return async function reconcile(now: number): Promise<ReconcileResult> {
    const result: ReconcileResult = { deliveries: 0, events: 0 };
    for (let shard = 0; shard < shardCount; shard += 1) {
      result.deliveries += await releaseDeliveries(deps, shard, now);
      result.events += await nudgeLagging(deps, shard, now);
    }
    return result;
  };
}

async function nudgeLagging(deps: ReconcileDeps, shard: number, now: number): Promise<number> {
  const feeds = await readFeeds(deps, shard);
  const recent = feeds.filter((feed) => now - (feed.lastPolledAt ?? 0) <= polledWithinMs);
  const nudges: EvaluateMessage[] = [];
  for (const feed of recent) {
    const { eventId, kind } = feed;
    const lags = await alone({ step: 'lagging', ids: { eventId, kind } }, () =>
      isLagging(deps, feed),
    );
    if (lags) nudges.push({ eventId, kind });
  }
  await deps.sendNudges(nudges.map((body) => ({ body, group: String(body.eventId) })));
  return nudges.length;
}

async function readFeeds({ feeds }: ReconcileDeps, shard: number): Promise<Feed[]> {
  const kinds = await Promise.all(feedKinds.map((kind) => feeds.active(kind, shard)));
  return kinds.flat();
}

/** Snapshots that were not matched, or watchers whose first look a crash kept from being asked for. */
async function isLagging(deps: ReconcileDeps, feed: Feed): Promise<boolean> {
  if (feed.owesNudge) return true;
  if (feed.lastSnapshotAt === undefined) return false;
  const evaluation = await deps.evaluations.find(feed);
  if (evaluation?.lateFrom !== undefined) return true;
  return (evaluation?.evaluatedThrough ?? 0) < feed.lastSnapshotAt;
}
