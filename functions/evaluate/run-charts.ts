// The charts of one run's alerts: the values before the run, read once for each number when its first alert
// fires, and the values of the run itself. A chart that can't be read is left out: it never costs an alert.
import type { Chart, ChartPoint } from '#shared/charts/chart.ts';
import { thinPoints } from '#shared/charts/thin-points.ts';
import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { RecentPoints, RecentSnapshots } from '#shared/dynamo/recent-points.ts';
import { chartSpanMs } from '#shared/dynamo/recent-points.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { LoadedHistory } from '#shared/rules/history.ts';
import { parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import { type BaseSeries, baseKeyOf, currentOf } from '#shared/rules/sources/sources.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import { utcOffsetMinutes } from '#shared/watchlist/local-clock.ts';

/** What a chart is of: a firing on a series, at a venue's time zone. */
export interface ChartSubject {
  series: SeriesKey;
  firing: Pick<Firing, 'role' | 'observedAt' | 'base'>;
  timeZone: string | undefined;
}

/** @returns undefined for fewer than two values, for no number at all, and for values that can't be read. */
export type ReadChart = (subject: ChartSubject) => Promise<Chart | undefined>;

/** A run: its feed, its values by memory, and the time (epoch ms) after which they are in memory. */
export interface ChartedRun {
  feed: EvaluationKey;
  history: LoadedHistory;
  through: number;
}

/** @returns the reader of one run's charts. */
export function createRunCharts(recent: RecentPoints, run: ChartedRun): ReadChart {
  const { feed, history, through } = run;
  let snapshots: Promise<RecentSnapshots> | undefined;
  const stored = new Map<SeriesKey, Promise<ChartPoint[]>>();
  const thinned = new Map<string, ChartPoint[]>();

  return async function readChart({ series, firing, timeZone }) {
    try {
      const base = currentOf(parseSeries(series).base);
      if (base.kind === 'presence') return undefined;
      const key = baseKeyOf(base);
      const before = await (stored.get(key) ?? readStored(base, key));
      const points = pointsAt(key, before, firing);
      if (points.length < 2) return undefined;
      return { points, utcOffsetMinutes: utcOffsetMinutes(timeZone, firing.observedAt) };
    } catch (error) {
      report(error, series);
      return undefined;
    }
  };

  /** One read for all alerts on the number, also if it fails: a second try would delay the alerts again. */
  function readStored(base: BaseSeries, key: SeriesKey): Promise<ChartPoint[]> {
    const reading = (async () => {
      snapshots ??= recent.recentSnapshots(feed, through);
      return recent.pointsOf(feed, base, await snapshots, through);
    })();
    const found = reading.catch((error: unknown) => {
      report(error, key);
      return [];
    });
    stored.set(key, found);
    return found;
  }

  /** The alerts of one snapshot on one number have one line. */
  function pointsAt(key: SeriesKey, before: ChartPoint[], firing: ChartSubject['firing']) {
    const { observedAt, role, base } = firing;
    const name = `${key} ${observedAt} ${role === 'no_data' ? '' : base}`;
    const known = thinned.get(name);
    if (known) return known;
    const since = history.points(key, through, observedAt - 1);
    const own: ChartPoint[] = role === 'no_data' ? [] : [[observedAt, base]];
    const all = [...before, ...since.map(({ at, value }): ChartPoint => [at, value]), ...own];
    const isShown = ([at]: ChartPoint) => at <= observedAt && at >= observedAt - chartSpanMs;
    const points = thinPoints(withoutDoubles(all.filter(isShown)));
    thinned.set(name, points);
    return points;
  }

  /** A transient fault tells nothing about the stored values; the next run reads them again. */
  function report(error: unknown, series: SeriesKey): void {
    if (isTransient(error)) return;
    const ids = { eventId: feed.eventId, series };
    reportFault({ thing: 'evaluation_history', reason: reasonOf(error), ids, error });
  }
}

/** Of two values at one time, the later one: the alert's own. */
function withoutDoubles(points: readonly ChartPoint[]): ChartPoint[] {
  return points.filter(([at], index) => at !== points[index + 1]?.[0]);
}
