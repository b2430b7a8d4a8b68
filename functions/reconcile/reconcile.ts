// Reconcile: finds what a crash or a lost message left behind and sets it going again. It sends only
// messages that are harmless to send twice.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { DeliveryStore } from '#shared/store/deliveries.ts';
import type { EvaluationStore } from '#shared/store/evaluations.ts';
import type { FeedStore } from '#shared/store/feeds.ts';
import { shardCount } from '#shared/store/shard.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';

/** A delivery that is overdue by less is most likely in its queue. */
const deliveryGraceMs = 30_000;
/** Overdue deliveries taken from one shard in one run; the rest are still there at the next. */
const deliveriesPerShard = 500;
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
      result.deliveries += await resumeDeliveries(deps, shard, now);
      result.events += await nudgeLagging(deps, shard, now);
    }
    return result;
  };
}

async function resumeDeliveries(deps: ReconcileDeps, shard: number, now: number): Promise<number> {
  const overdue = await deps.deliveries.overdue(shard, now - deliveryGraceMs, deliveriesPerShard);
  const byKind = Map.groupBy(overdue, ({ channelKind }) => channelKind);
  for (const [kind, deliveries] of byKind) {
    await deps.senders[kind](deliveries.map(({ deliveryId }) => ({ body: { deliveryId } })));
  }
  return overdue.length;
}

async function nudgeLagging(deps: ReconcileDeps, shard: number, now: number): Promise<number> {
  const feeds = await deps.feeds.active('stats', shard);
  const recent = feeds.filter((feed) => now - (feed.lastPolledAt ?? 0) <= polledWithinMs);
  const nudges: EvaluateMessage[] = [];
  for (const feed of recent) {
    if (await isLagging(deps, feed)) nudges.push({ eventId: feed.eventId, kind: feed.kind });
  }
  await deps.sendNudges(nudges.map((body) => ({ body })));
  return nudges.length;
}

async function isLagging(deps: ReconcileDeps, feed: Feed): Promise<boolean> {
  if (feed.lastSnapshotAt === undefined) return false;
  const evaluation = await deps.evaluations.find(feed);
  return (evaluation?.evaluatedThrough ?? 0) < feed.lastSnapshotAt;
}
