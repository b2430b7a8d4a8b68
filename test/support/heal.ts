// Reconcile's healing over one event, without waiting for its turns: each pass is given the time at which it
// would run.

import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import { createDropIdleSeries } from '#functions/reconcile/drop-idle-series.ts';
import { createHealIndexes } from '#functions/reconcile/heal-indexes.ts';
import { createHealTriggers } from '#functions/reconcile/heal-triggers.ts';
import { createPutBack } from '#functions/reconcile/put-back.ts';
import { createSweepSubscriptions } from '#functions/reconcile/sweep-subscriptions.ts';
import { shardOfTurn } from '#functions/reconcile/turns.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { timing } from '#shared/timing.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import type { Pipeline } from './pipeline.ts';

/** One of three turns of an event checks its triggers. */
const turns = 3;

/** Runs an event's turns of some hours; the pipeline's clock moves on to each. */
export async function healEvent(stores: Stores, pipeline: Pipeline, event: number): Promise<void> {
  const { clock } = pipeline;
  const putBack = createPutBack(stores);
  const applyWatchChange = createApplyWatchChange(stores);
  const sweep = createSweepSubscriptions({
    ...stores,
    healTriggers: createHealTriggers({ ...stores, putBack, applyWatchChange }),
  });
  const applyWatchChanges = createApplyWatchChanges({
    ...stores,
    applyWatchChange,
    recapBought: async () => {},
  });
  const healIndexes = createHealIndexes({ ...stores, putBack });
  const dropIdleSeries = createDropIdleSeries(stores);
  for (let turn = 0; turn < turns; turn += 1) {
    do clock.now += timing.reconcileEveryMs;
    while (shardOfTurn(clock.now) !== shardOf(String(event)));
    await applyWatchChanges(clock.now);
    const found = await Promise.all(
      (['stats', 'listings'] as const).map((kind) => orMissing(stores.feeds.find(event, kind))),
    );
    const active = found.flatMap((feed) => (feed?.status === 'active' ? [feed] : []));
    await sweep(active, clock.now);
    await dropIdleSeries(active, clock.now);
    await healIndexes(clock.now);
  }
  await pipeline.reconcile();
  await pipeline.drain();
}
