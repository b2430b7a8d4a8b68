// Rolls a series' raw snapshots up into hours, as far as they are over. Coverage is written last, so
// work that a crash cut short is done again with the same result.
import { hourOf, LoadedHistory, mergeSummaries, type Summary } from '#shared/rules/history.ts';
import { remember } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import type { EvaluationKey } from './evaluations.ts';
import type { SnapshotReader } from './history.ts';
import type { Coverage, RolledHour, RollupStore } from './rollups.ts';

/** Raw snapshots are kept for 90 days, so nothing further back can be rolled up any more. */
const rawKeptMs = 90 * 24 * HOUR_MS;

export interface RollUpRequest {
  feed: EvaluationKey;
  base: SeriesKey;
  /** How far back the series is looked at; Infinity for everything. */
  spanMs: number;
  /** Hours that ended at or before this are over; epoch milliseconds. */
  through: number;
  now: number;
}

export type RollUp = (request: RollUpRequest) => Promise<void>;

/** Brings a series' rollups up to the hour of `through`, from as far back as it is looked at. */
export function createRollUp(deps: { snapshots: SnapshotReader; rollups: RollupStore }): RollUp {
  return async function rollUp(request) {
    const { base, through, now } = request;
    const { eventId } = request.feed;
    const to = hourOf(through);
    const from = hourOf(through - Math.min(request.spanMs, rawKeptMs));
    const known = await deps.rollups.findCoverage(eventId, base);
    if (known && known.from <= from && known.to >= to) return;
    const missing = known && known.from <= from ? { from: known.to, to } : { from, to };
    if (missing.from >= missing.to) return;

    const hours = await readHours(deps.snapshots, request, missing);
    for (const hour of hours) await deps.rollups.putHour(eventId, base, hour, now);
    const isContinuation = known !== undefined && missing.from === known.to;
    const coverage: Coverage = {
      from: isContinuation ? known.from : from,
      to,
      record: recordOf(hours, isContinuation ? known.record : null),
    };
    await deps.rollups.putCoverage(eventId, base, coverage);
  };
}

async function readHours(
  snapshots: SnapshotReader,
  { feed, base, through }: RollUpRequest,
  { from, to }: { from: number; to: number },
): Promise<RolledHour[]> {
  const history = new LoadedHistory();
  // The price before the stretch tells whether its first one is a jump, the one after it whether its
  // last one was borne out.
  const before = await snapshots.latest(feed, from - 1, 2);
  const within = await snapshots.between(feed, from, through);
  for (const snapshot of [...before, ...within]) remember(history, snapshot);
  const points = history.points(base, from - 1, to - 1);
  return [...Map.groupBy(points, ({ at }) => hourOf(at))].flatMap(([startsAt, inHour]) => {
    const summary = history.summary(base, startsAt - 1, startsAt + HOUR_MS - 1);
    return summary ? [{ startsAt, summary, points: inHour }] : [];
  });
}

function recordOf(hours: readonly RolledHour[], before: Summary | null): Summary | null {
  return hours.reduce<Summary | null>(
    (record, { summary }) => (record ? mergeSummaries(record, summary) : summary),
    before,
  );
}
