// Evaluate: walks a feed's snapshots from its cursor, in time order, and applies each one to the
// triggers that it reaches. A message is only a nudge; the cursor says where to continue.

import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import { timing } from '#shared/timing.ts';
import type { CatchUpEnd, Run } from './catch-up.ts';
import type { InvocationClock } from './invocation-clock.ts';

export interface EvaluateResult {
  outcome: 'done' | 'held_by_another' | 'continued' | 'lease_lost';
  snapshots: number;
  alerts: number;
}

interface EvaluateDeps {
  evaluations: EvaluationStore;
  catchUp: (run: Run, from: number | undefined) => Promise<CatchUpEnd>;
  /** Nudges the feed again through the queue. */
  sendNudge: (message: EvaluateMessage) => Promise<void>;
}

/**
 * The evaluate use case. After a crash the cursor is behind the work done; the next run repeats
 * that work and finds its alerts and transitions already written.
 * @param lease a name that is unique to this run.
 */
export function createEvaluate({ evaluations, catchUp, sendNudge }: EvaluateDeps) {
  return async function evaluate(
    feed: EvaluationKey,
    lease: string,
    clock: InvocationClock,
  ): Promise<EvaluateResult> {
    const result: EvaluateResult = { outcome: 'done', snapshots: 0, alerts: 0 };
    await evaluations.nudge(feed);
    const now = clock.now();
    let held = await evaluations.acquire(feed, lease, now, now + timing.evaluationLeaseMs);
    if (!held) return { ...result, outcome: 'held_by_another' };

    while (held?.lease === lease) {
      const { lateFrom, lateCount = 0 } = held;
      const late = lateFrom === undefined ? undefined : { from: lateFrom, count: lateCount };
      const end = await catchUp({ feed, lease, clock, late }, held.evaluatedThrough);
      result.snapshots += end.snapshots;
      result.alerts += end.alerts;
      if (end.stopped === 'lease_lost') break;
      if (end.stopped === 'out_of_time') {
        await evaluations.release(feed, lease);
        await sendNudge(feed);
        return { ...result, outcome: 'continued' };
      }
      if (await evaluations.release(feed, lease, held.nudges)) return result;
      held = await evaluations.find(feed);
    }
    return { ...result, outcome: 'lease_lost' };
  };
}
