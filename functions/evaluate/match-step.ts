// One snapshot of a walk: matches it and carries out its moves, several at a time, for as long as the
// invocation has time. What it could not do is done by the next run: moves made stay made.
import type { LoadedHistory, Point } from '#shared/rules/history.ts';
import { type CatchUp, type Move, matchSnapshot } from '#shared/rules/match.ts';
import type { Snapshot } from '#shared/rules/reading.ts';
import { baseKeyOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { EventTriggers } from '#shared/store/triggers.ts';
import type { ApplyMove } from './apply-move.ts';
import type { Clock } from './clock.ts';

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

/** @returns a function that answers with the alerts that one snapshot raised. */
export function createMatchStep(applyMove: ApplyMove): MatchStep {
  return async function matchStep(step) {
    const { snapshot, triggers, history, clock } = step;
    let alerts = 0;
    let isTruncated: boolean;
    do {
      if (clock.remainingMs() < reserveMs) return { alerts, isComplete: false };
      triggers.beginReading();
      const { moves } = await matchSnapshot({
        ...step,
        run: step.catchUp,
        index: triggers.index,
      });
      for (let start = 0; start < moves.length; start += movesAtOnce) {
        if (clock.remainingMs() < reserveMs) return { alerts, isComplete: false };
        const lot = moves.slice(start, start + movesAtOnce);
        const raised = await Promise.all(
          lot.map((move) =>
            applyMove(move, {
              triggers,
              run: step.catchUp,
              previous: pointBefore(move, history, snapshot.observedAt),
              now: clock.now(),
            }),
          ),
        );
        alerts += raised.reduce((sum, count) => sum + count, 0);
      }
      isTruncated = triggers.wasTruncated() && moves.length > 0;
      // A reading that was cut short is read on: what has moved is no longer in its range.
      if (isTruncated) step.catchUp.through = snapshot.observedAt - 1;
    } while (isTruncated);
    return { alerts, isComplete: true };
  };
}

function pointBefore({ trigger }: Move, history: LoadedHistory, observedAt: number): Point | null {
  const { base } = parseSeries(trigger.series);
  return history.before(baseKeyOf(base), observedAt);
}
