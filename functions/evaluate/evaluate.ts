// Evaluate: walks a feed's snapshots from its cursor, in time order, and applies each one to the
// triggers that it reaches. A message is only a nudge; the cursor says where to continue.

import type { EvaluationKey, EvaluationToRun } from '#shared/dynamo/evaluation-entity.ts';
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
  sendNudge: (message: EvaluationKey) => Promise<void>;
}

/**
 * The evaluate use case. After a crash the cursor is behind the work done; the next run repeats
 * that work and finds its alerts and transitions already written.
 * @param lease a name that is unique to this run.
 */
export function createEvaluate(deps: EvaluateDeps) {
  const { evaluations } = deps;
  return async function evaluate(
    feed: EvaluationKey,
    lease: string,
    clock: InvocationClock,
  ): Promise<EvaluateResult> {
    await evaluations.nudge(feed);
    const now = clock.now();
    const held = await evaluations.acquire(feed, lease, now, now + timing.evaluationLeaseMs);
    if (!held) return { outcome: 'held_by_another', snapshots: 0, alerts: 0 };
    try {
      return await evaluateHeld(deps, held, { feed, lease, clock });
    } catch (error) {
      // The next nudge need not wait until the lease ends. Where this fails too, it ends by itself.
      await evaluations.release(feed, lease).catch(() => false);
      throw error;
    }
  };
}

/** Until no nudge is left that came meanwhile. */
async function evaluateHeld(
  { evaluations, catchUp, sendNudge }: EvaluateDeps,
  first: EvaluationToRun,
  { feed, lease, clock }: { feed: EvaluationKey; lease: string; clock: InvocationClock },
): Promise<EvaluateResult> {
  const result: EvaluateResult = { outcome: 'done', snapshots: 0, alerts: 0 };
  let held: EvaluationToRun | undefined = first;
  while (held?.lease === lease) {
    const { lateFrom, lateCount = 0, livingMarks, editsDueAt, repeats } = held;
    const { alerts: alertsBefore = 0 } = held;
    const late = lateFrom === undefined ? undefined : { from: lateFrom, count: lateCount };
    const planned = { livingMarks, editsDueAt };
    const isBehind = held.nextAttemptAt !== undefined;
    const run = { feed, lease, clock, late, isBehind, planned, alertsBefore, repeats };
    const end = await catchUp(run, held.evaluatedThrough);
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
}
