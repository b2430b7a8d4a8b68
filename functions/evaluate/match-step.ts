// One snapshot of a walk: matches it and carries out its moves, several at a time, for as long as the
// invocation has time. What it could not do is done by the next run: moves made stay made.
import type { LoadedHistory, Point } from '#shared/rules/history.ts';
import { type CatchUp, matchSnapshot } from '#shared/rules/match.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import { baseKeyOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { EventTriggers } from '#shared/store/triggers.ts';
import type { ApplyMove } from './apply-move.ts';
import type { Clock } from './clock.ts';
import type { RecordSilence } from './record-silence.ts';

/** Moves carried out at once; each is a handful of writes one after the other. */
const movesAtOnce = 16;
/** Time that a lot of moves may still need; with less left, the rest waits for the next run. */
const reserveMs = 15_000;

export interface Step {
  snapshot: Snapshot;
  isNewest: boolean;
  series: SeriesKey[];
  catchUp: CatchUp;
  triggers: EventTriggers;
  history: LoadedHistory;
  eventStartsAt: number | null;
  otherFeed: Snapshot | null;
  clock: Clock;
}

export interface StepEnd {
  alerts: number;
  /** False when time ran out: the snapshot must be matched again. */
  isComplete: boolean;
}

export type MatchStep = (step: Step) => Promise<StepEnd>;

interface MatchStepDeps {
  applyMove: ApplyMove;
  recordSilence: RecordSilence;
}

/** @returns a function that answers with the alerts that one snapshot raised. */
export function createMatchStep({ applyMove, recordSilence }: MatchStepDeps): MatchStep {
  return async function matchStep(step) {
    const { snapshot, triggers, history, clock } = step;
    const previousOf = (trigger: Trigger) => pointBefore(trigger, history, snapshot.observedAt);
    let alerts = 0;
    let isTruncated: boolean;
    do {
      if (clock.remainingMs() < reserveMs) return { alerts, isComplete: false };
      triggers.beginReading();
      const { moves, silenced } = await matchSnapshot({
        ...step,
        run: step.catchUp,
        index: triggers.index,
      });
      const isApplied = await inTimeFor(moves, clock, async (move) => {
        const previous = previousOf(move.trigger);
        const context = { triggers, run: step.catchUp, previous, now: clock.now() };
        const raised = await applyMove(move, context);
        alerts += raised;
      });
      const isWhole =
        isApplied &&
        (await inTimeFor(silenced, clock, (firing) =>
          recordSilence({ ...firing, previous: previousOf(firing.trigger), now: clock.now() }),
        ));
      if (!isWhole) return { alerts, isComplete: false };
      isTruncated = triggers.wasTruncated() && moves.length > 0;
      // A reading that was cut short is read on: what has moved is no longer in its range.
      if (isTruncated) step.catchUp.through = snapshot.observedAt - 1;
    } while (isTruncated);
    return { alerts, isComplete: true };
  };
}

/** Does something with each, several at a time. @returns false when time ran out before the end. */
async function inTimeFor<Item>(
  items: readonly Item[],
  clock: Clock,
  act: (item: Item) => Promise<void>,
): Promise<boolean> {
  for (let start = 0; start < items.length; start += movesAtOnce) {
    if (clock.remainingMs() < reserveMs) return false;
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
