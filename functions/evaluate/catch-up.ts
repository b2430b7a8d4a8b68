// Catch-up: matches every snapshot after the cursor, oldest first, and advances the cursor.

import type { CursorMemory, HourMemory } from '#shared/alerts/evaluation.ts';
import { type PossibleRepeats, repeatsLeft } from '#shared/alerts/possible-repeat.ts';
import type { PlannedEdits } from '#shared/delivery/episodes/plan-edits.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { EventTriggers } from '#shared/dynamo/event-triggers.ts';
import { basesOf, type LoadHistory, lastKnownIn } from '#shared/dynamo/history.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { type Feed, isCurrent } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { hourOf, type LoadedHistory } from '#shared/rules/history.ts';
import { remember } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { AskForEdits } from './ask-for-edits.ts';
import type { InvocationClock } from './invocation-clock.ts';
import { loadPast, readableSeries } from './load-past.ts';
import type { MatchStep, Step, StepEnd } from './match-step.ts';
import type { NudgeShards } from './nudge-shards.ts';
import type { ChartedRun, ReadChart } from './run-charts.ts';

/** Snapshots read at a time; the cursor advances after each batch. */
const pageSize = 50;
/** Maximum number of series whose last values are kept at the cursor: less than a kilobyte. */
const mostRemembered = 8;

/** One evaluation: its feed and its lease. */
export interface Run {
  feed: EvaluationKey;
  lease: string;
  clock: InvocationClock;
  /** The earliest snapshot that was stored late, and the number of late snapshots when this run began. */
  late?: { from: number; count: number } | undefined;
  /** Whether snapshots were stored that the evaluation has yet to see. */
  isBehind: boolean;
  planned: PlannedEdits;
  /** The feed's alerts before this run. */
  alertsBefore: number;
  /** Present after a restore. */
  repeats?: PossibleRepeats | undefined;
}

export interface CatchUpEnd {
  snapshots: number;
  alerts: number;
  stopped?: 'out_of_time' | 'lease_lost';
}

/** Stored snapshots of either feed. */
export interface SnapshotCursor {
  lookedAtAfter(feed: EvaluationKey, observedAt: number, limit: number): Promise<LookedAt[]>;
  newest(feed: EvaluationKey): Promise<Snapshot | undefined>;
}

interface CatchUpDeps {
  snapshots: SnapshotCursor;
  advance: EvaluationStore['advance'];
  clearLate: EvaluationStore['clearLate'];
  seriesOf: (eventId: number) => Promise<SeriesKey[]>;
  triggersOf: (feed: EvaluationKey) => EventTriggers;
  shardsOf: (eventId: number) => Promise<number>;
  nudgeShards: NudgeShards;
  loadHistory: LoadHistory;
  chartsOf: (run: ChartedRun) => ReadChart;
  findFeed: (feed: EvaluationKey) => Promise<Feed | undefined>;
  findEventStart: (eventId: number) => Promise<number | null>;
  matchStep: MatchStep;
  askForEdits: AskForEdits;
}

/** The inputs of matching at every snapshot of a walk. */
interface Walk extends Run {
  series: SeriesKey[];
  triggers: EventTriggers;
  history: LoadedHistory;
  catchUp: CatchUp;
  eventStartsAt: number | null;
  otherFeeds: NewestSnapshots;
  readChart: ReadChart;
  memory: HourMemory;
}

/** @returns a function that catches up from a cursor; the cursor is undefined for a feed never evaluated. */
export function createCatchUp(deps: CatchUpDeps) {
  return async function catchUp(run: Run, from: number | undefined): Promise<CatchUpEnd> {
    const end: CatchUpEnd = { snapshots: 0, alerts: 0 };
    const newest = await deps.snapshots.newest(run.feed);
    if (!newest) return end;
    // History from before the first evaluation raises no alerts: only the present state counts.
    const start = goBack(run, from) ?? newest.observedAt;
    const walk = await openWalk(deps, run, start, newest.observedAt);

    let through = start;
    let page: LookedAt[];
    do {
      page = await deps.snapshots.lookedAtAfter(run.feed, through, pageSize);
      for (const looked of page) {
        const { snapshot } = looked;
        rememberHour(walk, snapshot);
        remember(walk.history, snapshot);
        const stopped = await step(deps, walk, { ...looked, isPresent: false }, end);
        if (stopped) return stopped;
        walk.repeats = repeatsLeft(walk.repeats, snapshot.observedAt);
        end.snapshots += 1;
      }
      through = page.at(-1)?.snapshot.observedAt ?? through;
      const isLast = page.length < pageSize && end.snapshots > 0;
      const cursor = {
        evaluatedThrough: through,
        alerts: run.alertsBefore + end.alerts,
        ...{ memory: walk.memory, cursorMemory: fewStandings(walk) },
        ...(run.repeats && { repeats: walk.repeats ?? ('over' as const) }),
        ...(isLast && (await deps.askForEdits(run, start))),
      };
      const isOurs = await deps.advance(run.feed, run.lease, cursor);
      if (!isOurs) return { ...end, stopped: 'lease_lost' };
      if (run.late) await deps.clearLate(run.feed, run.late.count);
    } while (page.length === pageSize);

    const current = page.at(-1)?.snapshot ?? newest;
    if (!isCurrent(await deps.findFeed(run.feed), run.clock.now())) return end;
    return (await step(deps, walk, { snapshot: current, isPresent: true }, end)) ?? end;
  };
}

/**
 * A snapshot that was stored late is matched in time order: the walk begins before it. Later snapshots
 * are matched again, and skip every trigger that moved at or after them.
 */
function goBack({ late }: Run, from: number | undefined): number | undefined {
  return late === undefined || from === undefined ? from : Math.min(from, late.from - 1);
}

/** One snapshot, or the present state again for new triggers. */
async function step(
  deps: CatchUpDeps,
  walk: Walk,
  { snapshot, look, isPresent }: LookedAt & { isPresent: boolean },
  end: CatchUpEnd,
): Promise<CatchUpEnd | undefined> {
  const how: Step = {
    ...walk,
    ...{ snapshot, look },
    isNewest: isPresent,
    now: walk.clock.now(),
    // For an already matched snapshot, only new triggers are checked.
    ...(isPresent && { series: [], catchUp: new CatchUp() }),
  };
  const { alerts, isComplete } = await matchOrPassOver(deps, how);
  end.alerts += alerts;
  return isComplete ? undefined : { ...end, stopped: 'out_of_time' };
}

/**
 * A snapshot that fails for every trigger would block its event forever, so it is
 * reported and skipped, and the later snapshots are matched.
 */
async function matchOrPassOver({ matchStep }: CatchUpDeps, step: Step): Promise<StepEnd> {
  try {
    return await matchStep(step);
  } catch (error) {
    if (isTransient(error)) throw error;
    const { eventId, observedAt } = step.snapshot;
    const ids = { eventId, observedAt };
    reportFault({ thing: 'market_row', reason: reasonOf(error), ids, error });
    return { alerts: 0, isComplete: true };
  }
}

async function openWalk(
  deps: CatchUpDeps,
  run: Run,
  through: number,
  newest: number,
): Promise<Walk> {
  const { eventId } = run.feed;
  const series = readableSeries(await deps.seriesOf(eventId), eventId);
  const [past, eventStartsAt, otherFeeds] = await Promise.all([
    loadPast(deps.loadHistory, {
      ...{ feed: run.feed, series, through, newest, now: run.clock.now() },
      isRewound: run.late !== undefined,
    }),
    deps.findEventStart(eventId),
    readOtherFeeds(deps, run.feed),
    nudgeOthers(deps, run, { through, newest }),
  ]);
  return {
    ...run,
    ...past,
    eventStartsAt,
    otherFeeds,
    readChart: deps.chartsOf({ feed: run.feed, history: past.history, through }),
    triggers: deps.triggersOf(run.feed),
    catchUp: new CatchUp(through),
  };
}

/**
 * Only the first shard is told of new snapshots. It asks how many shards there are after they were stored, so a trigger
 * that is older than a snapshot is in one of them.
 */
async function nudgeOthers(
  deps: CatchUpDeps,
  { feed, late, isBehind, clock }: Run,
  { through, newest }: { through: number; newest: number },
): Promise<void> {
  if (feed.shard !== undefined || !(isBehind || newest > through)) return;
  const shards = await deps.shardsOf(feed.eventId);
  if (shards === 1) return;
  await deps.nudgeShards({ feed, shards, through, lateFrom: late?.from, now: clock.now() });
}

async function readOtherFeeds(
  { snapshots }: CatchUpDeps,
  { eventId, kind }: EvaluationKey,
): Promise<NewestSnapshots> {
  const found = feedKinds
    .filter((other) => other !== kind)
    .map(async (other) => [other, await snapshots.newest({ eventId, kind: other })] as const);
  return Object.fromEntries(await Promise.all(found));
}

/**
 * Written with every advance and paid by the kilobyte: above the maximum, the write costs more than
 * the reads it saves. Then nothing is kept, because one missing series needs the read anyway.
 */
function fewStandings({ history, series, feed }: Walk): CursorMemory {
  const bases = basesOf({ series, feed });
  return bases.length > mostRemembered ? {} : lastKnownIn(history, bases);
}

/** When a snapshot begins a new hour, keeps the last values of its series before it. */
function rememberHour(walk: Walk, { observedAt }: Snapshot): void {
  const hour = hourOf(observedAt);
  if (hour <= walk.memory.hour) return;
  walk.memory = { hour, standings: lastKnownIn(walk.history, basesOf(walk)) };
}
