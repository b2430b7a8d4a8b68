// Catching up: matches every snapshot after the cursor, oldest first, and moves the cursor behind it.
import { type Feed, isCurrent } from '#shared/polling/feed.ts';
import type { History, LoadedHistory } from '#shared/rules/history.ts';
import { CatchUp, type Move, matchSnapshot } from '#shared/rules/match.ts';
import { remember } from '#shared/rules/reading.ts';
import { baseKeyOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { EvaluationStore } from '#shared/store/evaluations.ts';
import type { SnapshotStore } from '#shared/store/snapshots.ts';
import type { EventTriggers } from '#shared/store/triggers.ts';
import type { ApplyMove } from './apply-move.ts';

/** Snapshots read at a time. */
const pageSize = 50;
/** Time that one page may still need; with less left, the rest goes on in another invocation. */
const reserveMs = 15_000;

/** The invocation's clock and what is left of it, in milliseconds. */
export interface Clock {
  now: () => number;
  remainingMs: () => number;
}

export interface CatchUpEnd {
  snapshots: number;
  alerts: number;
  stopped?: 'out_of_time' | 'lease_lost';
}

interface CatchUpDeps {
  snapshots: Pick<SnapshotStore, 'after' | 'newest'>;
  advance: EvaluationStore['advance'];
  seriesOf: (eventId: number) => Promise<SeriesKey[]>;
  triggersOf: (eventId: number) => EventTriggers;
  loadHistory: (
    eventId: number,
    series: readonly SeriesKey[],
    through: number,
  ) => Promise<LoadedHistory>;
  findFeed: (eventId: number) => Promise<Feed | undefined>;
  applyMove: ApplyMove;
}

interface Run {
  eventId: number;
  lease: string;
  clock: Clock;
}

/** One event's walk: what matching needs at every snapshot. */
interface Walk extends Run {
  series: SeriesKey[];
  triggers: EventTriggers;
  history: LoadedHistory;
  run: CatchUp;
}

/** @returns a function that catches up from a cursor, undefined for an event never evaluated. */
export function createCatchUp(deps: CatchUpDeps) {
  return async function catchUp(run: Run, from: number | undefined): Promise<CatchUpEnd> {
    const end: CatchUpEnd = { snapshots: 0, alerts: 0 };
    const { eventId, lease, clock } = run;
    const newest = await deps.snapshots.newest(eventId);
    if (!newest) return end;
    // History from before the first evaluation is nobody's news: only the present state counts.
    let through = from ?? newest.observedAt;
    const walk = await openWalk(deps, run, through);

    let page: MarketSnapshot[];
    do {
      if (clock.remainingMs() < reserveMs) return { ...end, stopped: 'out_of_time' };
      page = await deps.snapshots.after(eventId, through, pageSize);
      for (const snapshot of page) end.alerts += await matchNews(deps, walk, snapshot);
      end.snapshots += page.length;
      through = page.at(-1)?.observedAt ?? through;
      if (!(await deps.advance(eventId, lease, through))) return { ...end, stopped: 'lease_lost' };
    } while (page.length === pageSize);

    if (isCurrent(await deps.findFeed(eventId), clock.now())) {
      end.alerts += await matchPresent(deps, walk, page.at(-1) ?? newest);
    }
    return end;
  };
}

async function openWalk(deps: CatchUpDeps, run: Run, through: number): Promise<Walk> {
  const series = await deps.seriesOf(run.eventId);
  const history = await deps.loadHistory(run.eventId, series, through);
  const triggers = deps.triggersOf(run.eventId);
  return { ...run, series, history, triggers, run: new CatchUp(through) };
}

/** A snapshot after the cursor: moves the triggers that have been held against the market before. */
function matchNews(deps: CatchUpDeps, walk: Walk, snapshot: MarketSnapshot): Promise<number> {
  remember(walk.history, snapshot);
  return matchAndApply(deps, walk, snapshot, {
    isNewest: false,
    run: walk.run,
    series: walk.series,
  });
}

/** The present state: moves only the triggers that are new, which nothing else may. */
function matchPresent(deps: CatchUpDeps, walk: Walk, snapshot: MarketSnapshot): Promise<number> {
  return matchAndApply(deps, walk, snapshot, { isNewest: true, run: new CatchUp(), series: [] });
}

async function matchAndApply(
  deps: CatchUpDeps,
  { triggers, history, clock }: Walk,
  snapshot: MarketSnapshot,
  how: { isNewest: boolean; run: CatchUp; series: SeriesKey[] },
): Promise<number> {
  const { moves } = await matchSnapshot({
    ...how,
    index: triggers.index,
    snapshot,
    history,
    eventStartsAt: null,
  });
  let alerts = 0;
  for (const move of moves) {
    alerts += await deps.applyMove(move, {
      triggers,
      run: how.run,
      previousBase: baseBefore(move, history, snapshot.observedAt),
      now: clock.now(),
    });
  }
  return alerts;
}

function baseBefore({ trigger }: Move, history: History, observedAt: number): number | null {
  const { base } = parseSeries(trigger.series);
  return history.before(baseKeyOf(base), observedAt)?.value ?? null;
}
