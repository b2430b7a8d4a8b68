// Reconcile: finds work that a crash or a lost message left behind and restarts it. It sends only
// messages that are safe to send twice.

import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { ChannelKind } from '#shared/delivery/channels/channels.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import { shardCount, shardOf } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { timing } from '#shared/timing.ts';
import { alone } from './each-alone.ts';
import { releaseDeliveries } from './release-deliveries.ts';
import { shardOfTurn } from './turns.ts';

/** Feeds processed together: as many evaluations as one request reads. */
const feedsAtOnce = 100;

export interface ReconcileResult {
  deliveries: number;
  events: number;
}

interface ReconcileDeps {
  deliveries: Pick<DeliveryStore, 'overdue'>;
  evaluations: Pick<EvaluationStore, 'find'>;
  senders: Record<ChannelKind, SendMessages>;
  sendNudges: SendMessages;
  clock: () => number;
}

/** The use case, over the active feeds; `now` is epoch milliseconds. */
export function createReconcile(deps: ReconcileDeps) {
  return async function reconcile(active: readonly Feed[], now: number): Promise<ReconcileResult> {
    let deliveries = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      deliveries += await releaseDeliveries(deps, shard, now);
    }
    return { deliveries, events: await nudgeLagging(deps, active, now) };
  };
}

async function nudgeLagging(
  deps: ReconcileDeps,
  active: readonly Feed[],
  now: number,
): Promise<number> {
  const recent = byTurn(active, now).filter(
    (feed) => now - (feed.lastPolledAt ?? 0) <= timing.reconciledWithinMs,
  );
  // Feeds that this run has no time for are checked first when their shard has its turn.
  const endsAt = deps.clock() + timing.laggingMs;
  let nudged = 0;
  for (let start = 0; start < recent.length && deps.clock() < endsAt; start += feedsAtOnce) {
    nudged += await nudgeLot(deps, recent.slice(start, start + feedsAtOnce));
  }
  return nudged;
}

/** The shard whose turn it is, then the shards after it. */
function byTurn(active: readonly Feed[], now: number): Feed[] {
  const first = shardOfTurn(now);
  const place = ({ eventId }: Feed) => (shardOf(String(eventId)) - first + shardCount) % shardCount;
  return active.toSorted((a, b) => place(a) - place(b));
}

async function nudgeLot(deps: ReconcileDeps, feeds: readonly Feed[]): Promise<number> {
  const lagging = await inLots(feeds, feeds.length, (feed) =>
    alone({ step: 'lagging', ids: { eventId: feed.eventId, kind: feed.kind } }, () =>
      isLagging(deps, feed),
    ),
  );
  const nudges: EvaluateMessage[] = feeds
    .filter((_, index) => lagging[index])
    .map(({ eventId, kind }) => ({ eventId, kind }));
  await deps.sendNudges(nudges.map((body) => ({ body, group: String(body.eventId) })));
  return nudges.length;
}

/** True if snapshots were not matched, or a crash prevented the nudge for new watchers. */
async function isLagging(deps: ReconcileDeps, feed: Feed): Promise<boolean> {
  if (feed.owesNudge) return true;
  if (feed.lastSnapshotAt === undefined) return false;
  const evaluation = await deps.evaluations.find(feed);
  if (evaluation?.lateFrom !== undefined) return true;
  return (evaluation?.evaluatedThrough ?? 0) < feed.lastSnapshotAt;
}
