// Loads the past values that window transforms and the guard against mis-keyed prices need: hourly rollups for
// whole hours, single values for the edges and for medians, raw snapshots for the current hour.

import type { Evaluation, HourMemory } from '#shared/alerts/evaluation.ts';
import { type FeedKind, feedKindRows } from '#shared/polling/feed-kinds.ts';
import { hourOf, type LastKnown, LoadedHistory } from '#shared/rules/history.ts';
import { type HistoryNeed, historyNeeds } from '#shared/rules/history-needs.ts';
import { remember } from '#shared/rules/reading.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import { baseKeyOf, baseValues, type Snapshot, unitOf } from '#shared/rules/sources/sources.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import type { EvaluationStore } from './evaluations.ts';
import { createRollUp, type RollUp, recordThrough, type SnapshotReader } from './roll-up.ts';
import type { RollupStore } from './rollups.ts';

/** Snapshots read for the last price of a series that is newly in use. */
const snapshotsBefore = 20;

/**
 * What to load, for a run over a feed's snapshots in (through, newest], epoch milliseconds. The series
 * may be of both feeds, because conditions may need the other one.
 */
export interface HistoryRequest {
  feed: EvaluationKey;
  series: readonly SeriesKey[];
  through: number;
  newest: number;
  now: number;
  /** The run goes back behind its cursor, so values remembered from later must not be used. */
  isRewound?: boolean;
}

/** The loaded values, and the feed's last values when the current hour began. */
export interface LoadedPast {
  history: LoadedHistory;
  memory: HourMemory;
}

export type LoadHistory = (request: HistoryRequest) => Promise<LoadedPast>;

interface HistoryStores {
  snapshots: SnapshotReader;
  rollups: RollupStore;
  evaluations: Pick<EvaluationStore, 'find'>;
}

interface LoadHistoryDeps extends HistoryStores {
  rollUp: RollUp;
}

/** A loader that first updates the rollups up to the hour of `through`. */
export function createLoadHistory(stores: HistoryStores): LoadHistory {
  const { snapshots, rollups, evaluations } = stores;
  const deps = { snapshots, rollups, evaluations, rollUp: createRollUp({ snapshots, rollups }) };
  return async function loadHistory(request) {
    const history = new LoadedHistory();
    // The hour is read beside the windows; it is added to the history after them.
    const parts = [...Map.groupBy(request.series, feedKindOf)].map(([kind, series]) => {
      const feed = { ...request.feed, kind };
      const isOwn = kind === request.feed.kind;
      const isRewound = request.isRewound === true && isOwn;
      const windows = () => loadWindows(deps, history, { ...request, feed, series, isRewound });
      const hour = isOwn ? undefined : readOtherHour(deps, { ...request, feed });
      return { windows, hour };
    });
    const own = readOwnHour(deps, request);
    const [hours] = await Promise.all([
      Promise.all([own, ...parts.map(({ hour }) => hour)]),
      inOrder(parts.map(({ windows }) => windows)),
    ]);
    const [add, ...addOthers] = hours;
    for (const addOther of addOthers) addOther?.(history);
    return { history, memory: add(history) };
  };
}

async function inOrder(steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}

/** Adds what was read of an hour to a history. */
type AddHour = (history: LoadedHistory) => HourMemory;

async function readOtherHour(deps: LoadHistoryDeps, request: HistoryRequest): Promise<AddHour> {
  return readHour(deps, request, await deps.evaluations.find(request.feed));
}

async function readOwnHour(deps: LoadHistoryDeps, request: HistoryRequest): Promise<AddHour> {
  const evaluation = request.isRewound ? undefined : await deps.evaluations.find(request.feed);
  return resumeAtCursor(request, evaluation) ?? (await readHour(deps, request, evaluation));
}

async function loadWindows(
  deps: LoadHistoryDeps,
  history: LoadedHistory,
  request: HistoryRequest,
): Promise<void> {
  const { feed, series, through, now, isRewound } = request;
  for (const need of historyNeeds(series).filter(({ spanMs }) => spanMs > 0)) {
    await deps.rollUp({ feed, base: need.base, spanMs: need.spanMs, through, now, isRewound });
    await loadRollups(deps.rollups, history, request, need);
  }
}

/**
 * Continues the series from the values that the evaluation kept, without reading the hour's snapshots again:
 * there are more of those as the hour passes. It is enough for a feed's next snapshots if no series looks
 * further back than the previous value, and if that feed's snapshots are final.
 *
 * @returns undefined if it is not enough
 */
function resumeAtCursor(
  { feed, series, through, newest }: HistoryRequest,
  evaluation: Evaluation | undefined,
): AddHour | undefined {
  const { evaluatedThrough, memory, cursorMemory } = evaluation ?? {};
  if (!memory || !cursorMemory || evaluatedThrough !== through) return undefined;
  // A listings snapshot is not final: filters fetched later are added to it.
  if (!feedKindRows[feed.kind].isFinal || newest <= through) return undefined;
  if (needsOf(series, feed.kind).some(({ spanMs }) => spanMs > 0)) return undefined;
  const bases = basesOf({ series, feed });
  if (!bases.every((base) => memory.standings[base] && cursorMemory[base])) {
    return undefined;
  }
  return (history) => {
    for (const base of bases) {
      const standing = cursorMemory[base];
      if (standing) history.resume(base, standing);
    }
    return memory;
  };
}

/**
 * The current hour, from the values kept when it began. A series that came into use since then
 * has no such value; for it, the last few snapshots before the hour are read too.
 */
async function readHour(
  { snapshots }: LoadHistoryDeps,
  { feed, series, through }: HistoryRequest,
  evaluation: Evaluation | undefined,
): Promise<AddHour> {
  const memory = evaluation?.memory;
  const from = Math.min(memory?.hour ?? through, hourOf(through));
  const bases = basesOf({ series, feed });
  const areAllKnown = bases.every((base) => memory?.standings[base] !== undefined);
  const [before, within] = await Promise.all([
    areAllKnown ? [] : snapshots.latest(feed, from - 1, snapshotsBefore),
    snapshots.between(feed, from, through),
  ]);
  return (history) => {
    for (const base of bases) {
      const standing = memory?.standings[base];
      if (standing) history.resume(base, standing);
    }
    for (const snapshot of before) rememberUnknown(history, snapshot, memory);
    const standings = lastKnownIn(history, bases);
    for (const snapshot of within) remember(history, snapshot);
    return { hour: from, standings };
  };
}

/** The last values of the series after everything in a history. */
export function lastKnownIn(
  history: LoadedHistory,
  bases: readonly SeriesKey[],
): Record<SeriesKey, LastKnown> {
  return Object.fromEntries(bases.map((base) => [base, history.standing(base)]));
}

/** Last values of the series that the memory lacks; the memory has the others. */
function rememberUnknown(
  history: LoadedHistory,
  snapshot: Snapshot,
  memory: HourMemory | undefined,
): void {
  for (const [base, value] of baseValues(snapshot)) {
    const key = baseKeyOf(base);
    if (value === null || memory?.standings[key]) continue;
    history.add(key, { at: snapshot.observedAt, value }, unitOf(base) === 'price');
  }
}

/** The base series of these series that a feed's snapshots contain. */
export function basesOf({ series, feed }: Pick<HistoryRequest, 'series' | 'feed'>): SeriesKey[] {
  return needsOf(series, feed.kind).map(({ base }) => base);
}

/** The history that the series of one kind need. */
function needsOf(series: readonly SeriesKey[], kind: FeedKind): HistoryNeed[] {
  return historyNeeds(series.filter((key) => feedKindOf(key) === kind));
}

async function loadRollups(
  rollups: RollupStore,
  history: LoadedHistory,
  { feed: { eventId }, series, through, newest }: HistoryRequest,
  { base, spanMs, everyValue }: HistoryNeed,
): Promise<void> {
  const to = hourOf(through);
  const longestMs = Math.max(0, ...windowsOf(series, base));
  const from = hourOf(through - longestMs);
  const edges = everyValue ? [{ from, to }] : edgesOf(series, base, through, newest);
  const [coverage, hours, ...points] = await Promise.all([
    spanMs === Number.POSITIVE_INFINITY ? rollups.findCoverage(eventId, base) : undefined,
    rollups.summaries({ eventId, base, from, to }),
    ...edges.map((edge) =>
      rollups.points({ eventId, base, from: edge.from, to: Math.min(edge.to, to) }),
    ),
  ]);
  // A later value must not be in the record: no price would be lower than a low that it has set itself.
  const record = coverage && (await recordThrough(rollups, { eventId, base }, coverage, to));
  if (record) history.addRecord(base, record);
  for (const hour of hours) history.addHour(base, hour.startsAt, hour.summary);
  for (const point of points.flat()) history.add(base, point, false);
}

/** As a run advances, the far edge of each window passes over these hours. */
function edgesOf(series: readonly SeriesKey[], base: SeriesKey, through: number, newest: number) {
  return windowsOf(series, base).map((spanMs) => ({
    from: hourOf(through - spanMs),
    to: hourOf(newest - spanMs) + HOUR_MS,
  }));
}

/** The finite windows of the series on one base, in milliseconds. */
function windowsOf(series: readonly SeriesKey[], base: SeriesKey): number[] {
  const spans = series
    .flatMap((key) => historyNeeds([key]))
    .filter((need) => need.base === base)
    .map(({ spanMs }) => spanMs);
  return [...new Set(spans)].filter((spanMs) => spanMs > 0 && Number.isFinite(spanMs));
}
