// One snapshot of a walk: matches it and applies its transitions, several at a time, while the
// invocation has time. The next run does the rest; applied transitions stay.

import type { PossibleRepeats } from '#shared/alerts/possible-repeat.ts';
import { remembered } from '#shared/alerts/remembered.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { EventTriggers } from '#shared/dynamo/event-triggers.ts';
import type { UnreadableTrigger } from '#shared/dynamo/trigger-item.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import type { Look } from '#shared/polling/look.ts';
import type { CatchUp } from '#shared/rules/catch-up.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import type { LoadedHistory, Point } from '#shared/rules/history.ts';
import { type Matches, matchSnapshot } from '#shared/rules/match.ts';
import { parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';
import { baseKeyOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { timing } from '#shared/timing.ts';
import type { ApplyTransition, TransitionContext } from './apply-transition.ts';
import type { InvocationClock } from './invocation-clock.ts';
import type { RecordSilence } from './record-silence.ts';
import type { ReadChart } from './run-charts.ts';
import type { TriggerFaults } from './set-trigger-aside.ts';

/** Transitions applied at once; each is a few writes in sequence. */
const movesAtOnce = 16;

export interface Step {
  snapshot: Snapshot;
  /** The poll that brought it; absent if it was matched before, and for snapshots of earlier releases. */
  look?: Look | undefined;
  isNewest: boolean;
  /** The current time, epoch milliseconds. */
  now?: number | undefined;
  series: SeriesKey[];
  catchUp: CatchUp;
  triggers: EventTriggers;
  history: LoadedHistory;
  eventStartsAt: number | null;
  otherFeeds: NewestSnapshots;
  readChart: ReadChart;
  clock: InvocationClock;
  /** Present after a restore. */
  repeats?: PossibleRepeats | undefined;
}

export interface StepEnd {
  alerts: number;
  /** False when time ran out: the snapshot must be matched again. */
  isComplete: boolean;
}

export type MatchStep = (step: Step) => Promise<StepEnd>;

interface MatchStepDeps {
  applyMove: ApplyTransition;
  recordSilence: RecordSilence;
  faults: TriggerFaults;
  /** The newest snapshots of a feed up to a time, oldest first. */
  latest: (feed: EvaluationKey, through: number, limit: number) => Promise<Snapshot[]>;
}

/** @returns a function that returns how many alerts one snapshot raised. */
export function createMatchStep(deps: MatchStepDeps): MatchStep {
  const { applyMove, recordSilence, faults } = deps;

  return async function matchStep(step) {
    const { snapshot, triggers, clock } = step;
    const readEarlier = earlierThan(snapshot);
    let alerts = 0;
    let isTruncated: boolean;
    do {
      if (clock.remainingMs() < timing.evaluationReserveMs) return { alerts, isComplete: false };
      triggers.beginReading();
      const matches = await matchSnapshot({ ...step, run: step.catchUp, index: triggers.index });
      const isWhole =
        (await inTimeFor(matches.moves, clock, async (move) => {
          const raised = await alone(step, move.trigger, (context) => applyMove(move, context));
          alerts += raised;
        })) &&
        (await inTimeFor(matches.silenced, clock, async (firing) => {
          await alone(step, firing.trigger, async (context) => {
            await recordSilence({ ...firing, ...context, step, readEarlier });
            return 0;
          });
        })) &&
        (await inTimeFor(faultsIn(matches, triggers), clock, (fault) => setAside(step, fault)));
      reportSeries(step, matches.faultySeries);
      if (!isWhole) return { alerts, isComplete: false };
      await restore(step, matches.held);
      isTruncated = triggers.wasTruncated() && matches.moves.length + matches.faulty.length > 0;
      // If the range held too many triggers, read on: moved triggers have left the range.
      if (isTruncated) step.catchUp.through = snapshot.observedAt - 1;
    } while (isTruncated);
    return { alerts, isComplete: true };
  };

  /** Read once a step, however many triggers need them. */
  function earlierThan({ eventId, feedKind: kind, observedAt }: Snapshot) {
    return remembered((limit: number) => deps.latest({ eventId, kind }, observedAt - 1, limit));
  }

  /** Runs work on one trigger. A permanent failure affects only that trigger. */
  async function alone(
    step: Step,
    trigger: Trigger,
    act: (context: TransitionContext) => Promise<number>,
  ): Promise<number> {
    const { triggers, catchUp: run, snapshot, look, history, readChart, clock, repeats } = step;
    try {
      const previous = pointBefore(trigger, history, snapshot.observedAt);
      const about = { previous, look, readChart, repeats };
      const done = await act({ triggers, run, ...about, now: clock.now() });
      await faults.clear(triggers, trigger);
      return done;
    } catch (error) {
      await setAside(step, { trigger, error });
      return 0;
    }
  }

  /** The rest of the run skips this trigger and any trigger that it would have created. */
  async function setAside(step: Step, { trigger, error }: StepFault): Promise<void> {
    const { triggers, catchUp, clock } = step;
    catchUp.note(trigger.triggerId, null);
    if ('state' in trigger) catchUp.note(furtherTriggerId(trigger.triggerId), null);
    await faults.setAside(triggers, { trigger, error, now: clock.now() });
  }

  /** Triggers that were set aside and now worked without an error return to their normal place in the index. */
  async function restore({ triggers }: Step, held: Matches['held']): Promise<void> {
    for (const { trigger } of held) {
      if (!triggers.faultOf(trigger.triggerId)) continue;
      if (await triggers.move(trigger)) await faults.clear(triggers, trigger);
    }
  }

  /** Series are read from memory, so none of these errors is transient. */
  function reportSeries({ snapshot }: Step, faulty: Matches['faultySeries']): void {
    for (const { series, error } of faulty) {
      const ids = { eventId: snapshot.eventId, series };
      reportFault({ thing: 'evaluation_history', reason: reasonOf(error), ids, error });
    }
  }
}

interface StepFault {
  trigger: Trigger | UnreadableTrigger;
  error: unknown;
}

/** Triggers whose decision failed, and triggers that could not be read. */
function faultsIn({ faulty }: Matches, triggers: EventTriggers): StepFault[] {
  const unreadable = triggers.takeUnreadable().map((trigger) => ({
    trigger,
    error: new Error('the stored rule is damaged; save the rule again'),
  }));
  return [...faulty, ...unreadable];
}

/** Runs work on each trigger, several at a time. @returns false when time ran out before the end. */
async function inTimeFor<Item>(
  items: readonly Item[],
  clock: InvocationClock,
  act: (item: Item) => Promise<void>,
): Promise<boolean> {
  for (let start = 0; start < items.length; start += movesAtOnce) {
    if (clock.remainingMs() < timing.evaluationReserveMs) return false;
    await Promise.all(items.slice(start, start + movesAtOnce).map(act));
  }
  return true;
}

function pointBefore(
  { series }: Trigger,
  history: LoadedHistory,
  observedAt: number,
): Point | null {
  return history.before(baseKeyOf(parseSeries(series).base), observedAt);
}
