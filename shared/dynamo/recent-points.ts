// Reads the recent values of one number for a chart. Raw snapshots where they reach far enough back, hourly
// rollups for what is older, if the number has any. Bounded in size and time; writes nothing.
import type { ChartPoint } from '#shared/charts/chart.ts';
import { hourOf, LoadedHistory } from '#shared/rules/history.ts';
import { rememberBases } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import { type BaseSeries, baseKeyOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import type { RollupStore } from './rollups.ts';
import type { SnapshotStore } from './snapshots.ts';

/** A week shows the weekday's and the weekend's prices once. */
export const chartSpanMs = 7 * 24 * 3_600_000;
/** Two or three pages of DynamoDB: a week of a market that refreshes every quarter of an hour. */
const usualMost = 700;

interface RecentPointsStores {
  snapshots: Pick<SnapshotStore, 'looks'>;
  rollups: Pick<RollupStore, 'findCoverage' | 'points'>;
}

export interface RecentSnapshots {
  /** The newest snapshots up to a time, oldest first. */
  rows: Snapshot[];
  /** From when on these are all that there are, epoch milliseconds. */
  wholeFrom: number;
}

/**
 * Reads of a chart's values: the snapshots of a feed once for all of its numbers.
 * @param mostSnapshots the most that one chart reads. @default 700
 */
export function createRecentPoints(
  { snapshots, rollups }: RecentPointsStores,
  mostSnapshots = usualMost,
) {
  return {
    /** The feed's snapshots of the week up to a time (epoch ms). */
    async recentSnapshots(feed: EvaluationKey, through: number): Promise<RecentSnapshots> {
      const from = through - chartSpanMs;
      const looks = await snapshots.looks(feed, { from, through }, mostSnapshots);
      const rows = looks.map(({ snapshot }) => snapshot);
      const isCut = rows.length === mostSnapshots;
      return { rows, wholeFrom: isCut ? (rows[0]?.observedAt ?? from) : from };
    },

    /** A number's believed values in these snapshots, and before them in its rollups. */
    async pointsOf(
      { eventId }: EvaluationKey,
      base: BaseSeries,
      { rows, wholeFrom }: RecentSnapshots,
      through: number,
    ): Promise<ChartPoint[]> {
      const key = baseKeyOf(base);
      const history = new LoadedHistory();
      for (const snapshot of rows) rememberBases(history, snapshot, [base]);
      const newer = history.points(key, Number.NEGATIVE_INFINITY, through);
      const older = await rolledUp(eventId, key, through - chartSpanMs, wholeFrom);
      return [...older, ...newer].map(({ at, value }) => [at, value]);
    },
  };

  /** Nothing if the rollups end before the snapshots begin: the line would hide a gap. */
  async function rolledUp(eventId: number, base: SeriesKey, from: number, to: number) {
    if (from >= to) return [];
    const coverage = await rollups.findCoverage(eventId, base);
    if (!coverage || coverage.to < hourOf(to)) return [];
    const points = await rollups.points({ eventId, base, from: hourOf(from), to });
    return points.filter(({ at }) => at >= from && at < to);
  }
}

export type RecentPoints = ReturnType<typeof createRecentPoints>;
