// Loads what window transforms and the guard against mis-keyed prices look back on: hourly rollups for
// whole hours, single values for the edges and for medians, raw snapshots for the hour under way.

import type { HourMemory } from '#shared/alerts/evaluation.ts';
import type { FeedKind } from '#shared/polling/feed.ts';
import { hourOf, LoadedHistory } from '#shared/rules/history.ts';
import {
  baseValues,
  type HistoryNeed,
  historyNeeds,
  remember,
  type Snapshot,
} from '#shared/rules/reading.ts';
import { baseKeyOf, feedKindOf, type SeriesKey, unitOf } from '#shared/rules/series.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import type { EvaluationKey, EvaluationStore } from './evaluations.ts';
import type { RollUp, SnapshotReader } from './roll-up.ts';
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
}

/** What was loaded, and where the feed's series stood when the hour under way began. */
export interface LoadedPast {
  history: LoadedHistory;
  memory: HourMemory;
}

export type LoadHistory = (request: HistoryRequest) => Promise<LoadedPast>;

interface LoadHistoryDeps {
  snapshots: SnapshotReader;
  rollups: RollupStore;
  rollUp: RollUp;
  evaluations: Pick<EvaluationStore, 'find'>;
}

/** A loader that first brings the rollups up to the hour of `through`. */
export function createLoadHistory(deps: LoadHistoryDeps): LoadHistory {
  return async function loadHistory(request) {
    const history = new LoadedHistory();
    for (const [kind, series] of Map.groupBy(request.series, feedKindOf)) {
      const feed = { ...request.feed, kind };
      await loadWindows(deps, history, { ...request, feed, series });
      if (kind !== request.feed.kind) await loadRecent(deps, history, { ...request, feed });
    }
    return { history, memory: await loadRecent(deps, history, request) };
  };
}

async function loadWindows(
  deps: LoadHistoryDeps,
  history: LoadedHistory,
  request: HistoryRequest,
): Promise<void> {
  const { feed, series, through, now } = request;
  for (const need of historyNeeds(series).filter(({ spanMs }) => spanMs > 0)) {
    await deps.rollUp({ feed, base: need.base, spanMs: need.spanMs, through, now });
    await loadRollups(deps.rollups, history, request, need);
  }
}

/**
 * The hour under way, from where the evaluation stood when it began. A series that came into use since
 * stands nowhere yet; for it, the last few snapshots before that hour are read too.
 */
async function loadRecent(
  { snapshots, evaluations }: LoadHistoryDeps,
  history: LoadedHistory,
  { feed, series, through }: HistoryRequest,
): Promise<HourMemory> {
  const memory = (await evaluations.find(feed))?.memory;
  const from = Math.min(memory?.hour ?? through, hourOf(through));
  const bases = basesOf(series, feed.kind);
  for (const base of bases) {
    const standing = memory?.standings[base];
    if (standing) history.resume(base, standing);
  }
  const areAllKnown = bases.every((base) => memory?.standings[base] !== undefined);
  const before = areAllKnown ? [] : await snapshots.latest(feed, from - 1, snapshotsBefore);
  for (const snapshot of before) rememberUnknown(history, snapshot, memory);
  const standings = memoryAt(from, history, bases);
  for (const snapshot of await snapshots.between(feed, from, through)) remember(history, snapshot);
  return standings;
}

/** Where the series stand in a history that holds nothing of the hour yet. */
export function memoryAt(
  hour: number,
  history: LoadedHistory,
  bases: readonly SeriesKey[],
): HourMemory {
  return {
    hour,
    standings: Object.fromEntries(bases.map((base) => [base, history.standing(base)])),
  };
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
export function basesOf(series: readonly SeriesKey[], kind: FeedKind): SeriesKey[] {
  const own = series.filter((key) => feedKindOf(key) === kind);
  return historyNeeds(own).map(({ base }) => base);
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
