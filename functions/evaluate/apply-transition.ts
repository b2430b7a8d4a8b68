// Applies the decision of matching to one trigger: first the alert, then the
// trigger's own transition, so that a crash in between repeats the alert's writes and never loses it.

import { mayRepeat, type PossibleRepeats } from '#shared/alerts/possible-repeat.ts';
import type { EventTriggers } from '#shared/dynamo/event-triggers.ts';
import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import type { Look } from '#shared/polling/look.ts';
import type { CatchUp } from '#shared/rules/catch-up.ts';
import type { Point } from '#shared/rules/history.ts';
import type { Transition } from '#shared/rules/match.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { RaiseAlert } from './raise-alert.ts';
import type { ReadChart } from './run-charts.ts';

interface ApplyTransitionDeps {
  createTrigger: TriggerStore['create'];
  raiseAlert: RaiseAlert;
}

/** The context of one transition: its run, and the alert's facts beside the firing. */
export interface TransitionContext {
  triggers: EventTriggers;
  run: CatchUp;
  /** The metric under the series at the previous snapshot, in its own unit. */
  previous: Point | null;
  look?: Look | undefined;
  readChart: ReadChart;
  /** Present after a restore. */
  repeats?: PossibleRepeats | undefined;
  now: number;
}

export type ApplyTransition = (move: Transition, context: TransitionContext) => Promise<number>;

/** @returns a function that returns the number of new alerts, 0 or 1. */
export function createApplyTransition(deps: ApplyTransitionDeps): ApplyTransition {
  return async function applyMove({ trigger, decision }, context) {
    const { triggers, run, previous, look, readChart, now } = context;
    const about = { trigger, previous, look, now };
    if (decision.kind === 'retire') {
      await triggers.retire(trigger.triggerId);
      return 0;
    }
    let alerts = 0;
    if (decision.kind === 'fire') {
      const { firing, alreadyTrue, further } = decision;
      const news = { ...about, firing, alreadyTrue, ...repeatOf(trigger, firing, context) };
      const raised = await deps.raiseAlert(news, readChart);
      if (raised === 'not_wanted') {
        run.note(trigger.triggerId, trigger);
        return 0;
      }
      if (further) await addFurther(further, context);
      alerts = raised === 'raised' ? 1 : 0;
    }
    if (decision.kind === 'rearm' && decision.recovery) {
      const firing = decision.recovery;
      // A watch that no longer wants the alert gets no recovery either; the trigger re-arms all the same.
      const repeat = repeatOf(trigger, firing, context);
      const news = { ...about, firing, alreadyTrue: false, ...repeat };
      const raised = await deps.raiseAlert(news, readChart);
      alerts = raised === 'raised' ? 1 : 0;
    }
    // If another run moved the trigger first, that transition is valid; this run continues from it.
    if (!(await triggers.move(decision.next))) {
      run.note(trigger.triggerId, await triggers.index.find(trigger.triggerId));
    }
    return alerts;
  };

  /** The rest of this run works on the stored state, also if another run wrote it. */
  async function addFurther(further: Trigger, { triggers, run }: TransitionContext): Promise<void> {
    await deps.createTrigger(further);
    run.note(further.triggerId, await triggers.index.find(further.triggerId));
  }
}

/** After a restore, the alert says that it may repeat one from before. */
function repeatOf(
  trigger: Trigger,
  { observedAt }: Firing,
  { repeats }: TransitionContext,
): { mayRepeatSince?: number } {
  if (!repeats || !mayRepeat(trigger, observedAt, repeats)) return {};
  return { mayRepeatSince: repeats.after };
}
