// Reconcile: finds work that a crash or a lost message left behind and restarts it. It sends only
// messages that are safe to send twice.

import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { ChannelKind } from '#shared/delivery/channels/channels.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { EvaluationsBehindStore } from '#shared/dynamo/evaluations-behind.ts';
import { shardCount, shardOf } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { timing } from '#shared/timing.ts';
import { evaluationOf } from '#shared/watchlist/watch.ts';
import { alone } from './each-alone.ts';
import { releaseDeliveries } from './release-deliveries.ts';
import { lotOfTurn, shardOfTurn } from './turns.ts';

/** Evaluations of one shard that a run nudges; the next run nudges the others. */
const nudgesPerShard = 500;
/** Feeds whose evaluation is looked at although it is not listed as behind; its shard's next turn takes the others. */
const feedsPerTurn = 1_000;
/** Feeds processed together: as many evaluations as one request reads. */
const feedsAtOnce = 100;

export interface ReconcileResult {
  deliveries: number;
  events: number;
}

interface ReconcileDeps {
  deliveries: Pick<DeliveryStore, 'overdue'>;
  evaluations: Pick<EvaluationStore, 'find'>;
  evaluationsBehind: EvaluationsBehindStore;
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

/** Nudges the evaluations that are listed as behind, and those of the turn's shard that lag without being listed. */
async function nudgeLagging(
  deps: ReconcileDeps,
  active: readonly Feed[],
  now: number,
): Promise<number> {
  const nudged = new Set<string>();
  for (let shard = 0; shard < shardCount; shard += 1) {
    const behind = await deps.evaluationsBehind.list(shard, now, nudgesPerShard);
    await nudge(deps, behind);
    for (const key of behind) nudged.add(nameOf(key));
  }
  const unlisted = await nudgeUnlisted(deps, ofTurn(active, now), nudged);
  return nudged.size + unlisted;
}

/**
 * A feed may lag without being listed: an earlier release stored its snapshots, or a stored item is damaged. Each
 * shard has its turn, so the cost does not grow with the fleet.
 */
async function nudgeUnlisted(
  deps: ReconcileDeps,
  feeds: readonly Feed[],
  nudged: ReadonlySet<string>,
): Promise<number> {
  // Feeds that this run has no time for are checked in the shard's next turn.
  const endsAt = deps.clock() + timing.laggingMs;
  let count = 0;
  for (let start = 0; start < feeds.length && deps.clock() < endsAt; start += feedsAtOnce) {
    const lot = feeds.slice(start, start + feedsAtOnce);
    const lagging = await inLots(lot, lot.length, (feed) =>
      alone({ step: 'lagging', ids: { eventId: feed.eventId, kind: feed.kind } }, async () =>
        nudged.has(nameOf(feed)) ? false : isLagging(deps, feed),
      ),
    );
    const found = lot.filter((_, index) => lagging[index]);
    await nudge(deps, found);
    count += found.length;
  }
  return count;
}

function ofTurn(active: readonly Feed[], now: number): Feed[] {
  const shard = shardOfTurn(now);
  const own = active
    .filter(({ eventId }) => shardOf(String(eventId)) === shard)
    .sort((a, b) => a.eventId - b.eventId);
  return lotOfTurn(own, feedsPerTurn, now);
}

async function nudge({ sendNudges }: ReconcileDeps, keys: readonly EvaluationKey[]): Promise<void> {
  const nudges: EvaluateMessage[] = keys.map((key) => evaluationOf(key, key.kind));
  await sendNudges(nudges.map((body) => ({ body, group: String(body.eventId) })));
}

function nameOf({ eventId, kind, shard = 0 }: EvaluationKey): string {
  return `${eventId}#${kind}#${shard}`;
}

/** True if snapshots were not matched, or a crash prevented the nudge for new watchers. */
async function isLagging(deps: ReconcileDeps, feed: Feed): Promise<boolean> {
  if (feed.owesNudge) return true;
  if (feed.lastSnapshotAt === undefined) return false;
  const evaluation = await deps.evaluations.find(feed);
  if (evaluation?.lateFrom !== undefined) return true;
  return (evaluation?.evaluatedThrough ?? 0) < feed.lastSnapshotAt;
}
