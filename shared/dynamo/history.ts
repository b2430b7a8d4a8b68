// Loads what window transforms and the guard against mis-keyed prices look back on: hourly rollups for
// whole hours, single values for the edges and for medians, raw snapshots for the hour under way.

import type { Evaluation, HourMemory } from '#shared/alerts/evaluation.ts';
import { type FeedKind, feedKindRows } from '#shared/polling/feed-kinds.ts';
import { hourOf, type LastKnown, LoadedHistory } from '#shared/rules/history.ts';
import { type HistoryNeed, historyNeeds } from '#shared/rules/history-needs.ts';
import { remember } from '#shared/rules/reading.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import { baseKeyOf, baseValues, type Snapshot, unitOf } from '#shared/rules/sources/sources.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import type { EvaluationKey, EvaluationStore } from './evaluations.ts';
import { createRollUp, type RollUp, type SnapshotReader } from './roll-up.ts';
import type { RollupStore } from './rollups.ts';

/** Snapshots looked at for the last price of a series that has just come into use. */
const snapshotsBefore = 20;

/**
 * What to load: for a run over a feed's snapshots in (through, newest], epoch milliseconds. The series
 * may be of both feeds, because conditions may ask for the other one.
 */
export interface HistoryRequest {
  feed: EvaluationKey;
  series: readonly SeriesKey[];
  through: number;
  newest: number;
  now: number;
  /** The run goes back behind its cursor: what is remembered of the time after must not be used. */
  isRewound?: boolean;
}

/** What was loaded, and where the feed's series stood when the hour under way began. */
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

/** A loader that first brings the rollups up to the hour of `through`. */
export function createLoadHistory(stores: HistoryStores): LoadHistory {
  const { snapshots, rollups, evaluations } = stores;
  const deps = { snapshots, rollups, evaluations, rollUp: createRollUp({ snapshots, rollups }) };
  return async function loadHistory(request) {
    const history = new LoadedHistory();
    for (const [kind, series] of Map.groupBy(request.series, feedKindOf)) {
      const feed = { ...request.feed, kind };
      const isRewound = request.isRewound === true && kind === request.feed.kind;
      await loadWindows(deps, history, { ...request, feed, series, isRewound });
      if (kind === request.feed.kind) continue;
      await loadHour(deps, history, { ...request, feed }, await deps.evaluations.find(feed));
    }
    const evaluation = request.isRewound ? undefined : await deps.evaluations.find(request.feed);
    const memory =
      resumeAtCursor(history, request, evaluation) ??
      (await loadHour(deps, history, request, evaluation));
    return { history, memory };
  };
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
 * Takes up the series where the evaluation left them, without reading a snapshot again: as the hour goes
 * on, those would become ever more. It is enough for the next snapshots of a feed if no series looks
 * further back than to the value before, and if that feed's snapshots are final.
 *
 * @returns undefined, having done nothing, where it is not enough
 */
function resumeAtCursor(
  history: LoadedHistory,
  { feed, series, through, newest }: HistoryRequest,
  evaluation: Evaluation | undefined,
): HourMemory | undefined {
  const { evaluatedThrough, memory, cursorMemory } = evaluation ?? {};
  if (!memory || !cursorMemory || evaluatedThrough !== through) return undefined;
  // Of a listings snapshot, filters that were fetched later become known later.
  if (!feedKindRows[feed.kind].isFinal || newest <= through) return undefined;
  if (needsOf(series, feed.kind).some(({ spanMs }) => spanMs > 0)) return undefined;
  const bases = basesOf({ series, feed });
  if (!bases.every((base) => memory.standings[base] && cursorMemory[base])) {
    return undefined;
  }
  for (const base of bases) {
    const standing = cursorMemory[base];
    if (standing) history.resume(base, standing);
  }
  return memory;
}

/**
 * The hour under way, from where the evaluation stood when it began. A series that came into use since
 * stands nowhere yet; for it, the last few snapshots before that hour are read too.
 */
async function loadHour(
  { snapshots }: LoadHistoryDeps,
  history: LoadedHistory,
  { feed, series, through }: HistoryRequest,
  evaluation: Evaluation | undefined,
): Promise<HourMemory> {
  const memory = evaluation?.memory;
  const from = Math.min(memory?.hour ?? through, hourOf(through));
  const bases = basesOf({ series, feed });
  for (const base of bases) {
    const standing = memory?.standings[base];
    if (standing) history.resume(base, standing);
  }
  const areAllKnown = bases.every((base) => memory?.standings[base] !== undefined);
  const before = areAllKnown ? [] : await snapshots.latest(feed, from - 1, snapshotsBefore);
  for (const snapshot of before) rememberUnknown(history, snapshot, memory);
  const standings = standingsIn(history, bases);
  for (const snapshot of await snapshots.between(feed, from, through)) remember(history, snapshot);
  return { hour: from, standings };
}

/** Where the series stand after everything that a history holds. */
export function standingsIn(
  history: LoadedHistory,
  bases: readonly SeriesKey[],
): Record<SeriesKey, LastKnown> {
  return Object.fromEntries(bases.map((base) => [base, history.standing(base)]));
}

/** Values of the series that the memory lacks; the others stand where the memory says. */
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

/** The base series under these series that a feed's snapshots have. */
export function basesOf({ series, feed }: Pick<HistoryRequest, 'series' | 'feed'>): SeriesKey[] {
  return needsOf(series, feed.kind).map(({ base }) => base);
}

/** What those of the series that are of one kind look back on. */
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
  if (spanMs === Number.POSITIVE_INFINITY) {
    const coverage = await rollups.findCoverage(eventId, base);
    if (coverage?.record) history.addRecord(base, coverage.record);
  }
  const longestMs = Math.max(0, ...windowsOf(series, base));
  const from = hourOf(through - longestMs);
  for (const hour of await rollups.summaries({ eventId, base, from, to })) {
    history.addHour(base, hour.startsAt, hour.summary);
  }
  const edges = everyValue ? [{ from, to }] : edgesOf(series, base, through, newest);
  for (const edge of edges) {
    const range = { eventId, base, from: edge.from, to: Math.min(edge.to, to) };
    for (const point of await rollups.points(range)) history.add(base, point, false);
  }
}

/** As a run's snapshots pass, the far edge of each window passes over these hours. */
function edgesOf(series: readonly SeriesKey[], base: SeriesKey, through: number, newest: number) {
  return windowsOf(series, base).map((spanMs) => ({
    from: hourOf(through - spanMs),
    to: hourOf(newest - spanMs) + HOUR_MS,
  }));
}

/** The finite windows that the series look back over on one base, in milliseconds. */
function windowsOf(series: readonly SeriesKey[], base: SeriesKey): number[] {
  const spans = series
    .flatMap((key) => historyNeeds([key]))
    .filter((need) => need.base === base)
    .map(({ spanMs }) => spanMs);
  return [...new Set(spans)].filter((spanMs) => spanMs > 0 && Number.isFinite(spanMs));
}
