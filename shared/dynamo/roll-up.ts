// Rolls a series' raw snapshots up into complete hours. Coverage is written last, so
// interrupted work is repeated with the same result.
import {
  hourOf,
  type LastKnown,
  LoadedHistory,
  mergeSummaries,
  type Point,
  type Summary,
  summaryOf,
} from '#shared/rules/history.ts';
import { remember } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import type { Coverage, RolledHour, RollupStore } from './rollups.ts';

/** Raw snapshots are kept for 90 days, so older hours can no longer be rolled up. */
const rawKeptMs = 90 * 24 * HOUR_MS;
/** Snapshots read for the last price before a time range. */
const snapshotsBefore = 20;

/** Raw snapshots of a feed, in time order. */
export interface SnapshotReader {
  /** The last `limit` ones at or before a time. */
  latest(feed: EvaluationKey, through: number, limit: number): Promise<Snapshot[]>;
  /** Every one in [from, through]. */
  between(feed: EvaluationKey, from: number, through: number): Promise<Snapshot[]>;
}

export interface RollUpRequest {
  feed: EvaluationKey;
  base: SeriesKey;
  /** How far back the series is read; Infinity for everything. */
  spanMs: number;
  /** Hours that ended at or before this time are complete; epoch milliseconds. */
  through: number;
  now: number;
  /** Snapshots after `through` are new or were removed: the hours from there on are rolled up again. */
  isRewound?: boolean | undefined;
}

export type RollUp = (request: RollUpRequest) => Promise<void>;

interface RollUpDeps {
  snapshots: SnapshotReader;
  rollups: RollupStore;
}

/** Updates a series' rollups up to the hour of `through`, from as far back as it is read. */
export function createRollUp(deps: RollUpDeps): RollUp {
  return async function rollUp(request) {
    const { base, through, now } = request;
    const { eventId } = request.feed;
    const to = hourOf(through);
    const from = hourOf(through - Math.min(request.spanMs, rawKeptMs));
    const known = await deps.rollups.findCoverage(eventId, base);
    const goesOn = known !== undefined && known.from <= from;
    if (request.isRewound && goesOn && known.to > to) return setBack(deps, request, known, to);
    if (goesOn && known.to >= to) return;
    const before = goesOn ? known : undefined;
    const stretch = { from: before?.to ?? from, to };
    if (stretch.from >= stretch.to) return;

    const rolled = await readTimeRange(deps.snapshots, request, stretch, before?.standing);
    if (rolled.borneOut) rolled.hours.unshift(await repair(deps.rollups, request, rolled.borneOut));
    for (const hour of rolled.hours) await deps.rollups.putHour(eventId, base, hour, now);
    await deps.rollups.putCoverage(eventId, base, {
      from: before?.from ?? from,
      to,
      record: recordOf(rolled.hours, before?.record ?? null),
      standing: rolled.standing,
    });
  };
}

/** The hours themselves stay until they are complete again, and are then replaced. */
async function setBack(
  { snapshots, rollups }: RollUpDeps,
  { feed, base }: RollUpRequest,
  known: Coverage,
  to: number,
): Promise<void> {
  const history = new LoadedHistory();
  for (const snapshot of await snapshots.latest(feed, to - 1, snapshotsBefore)) {
    remember(history, snapshot);
  }
  const standing = history.standing(base);
  const record = await recordThrough(rollups, { eventId: feed.eventId, base }, known, to);
  await rollups.putCoverage(feed.eventId, base, { ...known, to, record, standing });
}

/**
 * The summary of the covered hours before `to`, epoch milliseconds. Coverage may end later: another reader of the
 * series was ahead, such as the other feed's evaluation, another shard of the event, or the API.
 */
export async function recordThrough(
  rollups: Pick<RollupStore, 'summaries'>,
  { eventId, base }: { eventId: number; base: SeriesKey },
  { from, to: coveredTo, record }: Coverage,
  to: number,
): Promise<Summary | null> {
  if (coveredTo <= to) return record;
  return recordOf(await rollups.summaries({ eventId, base, from, to }), null);
}

interface RolledTimeRange {
  hours: RolledHour[];
  /** The last values of the series at the end of the range. */
  standing: LastKnown;
  /** The value that was in doubt when the range began and was confirmed later. */
  borneOut: Point | null;
}

async function readTimeRange(
  snapshots: SnapshotReader,
  { feed, base, through }: RollUpRequest,
  { from, to }: { from: number; to: number },
  standing: LastKnown | undefined,
): Promise<RolledTimeRange> {
  const history = new LoadedHistory();
  if (standing) history.resume(base, standing);
  // Without last values, the prices before the range show whether its first price is a jump.
  const before = standing ? [] : await snapshots.latest(feed, from - 1, snapshotsBefore);
  const within = await snapshots.between(feed, from, to - 1);
  for (const snapshot of [...before, ...within]) remember(history, snapshot);
  const end = history.standing(base);
  // Later snapshots show whether the range's last price was confirmed.
  for (const snapshot of await snapshots.between(feed, to, through)) remember(history, snapshot);

  const points = history.points(base, from - 1, to - 1);
  const hours = [...Map.groupBy(points, ({ at }) => hourOf(at))].flatMap(([startsAt, inHour]) => {
    const summary = history.summary(base, startsAt - 1, startsAt + HOUR_MS - 1);
    return summary ? [{ startsAt, summary, points: inHour }] : [];
  });
  const doubted = standing?.suspect ?? null;
  const isBorneOut = doubted && history.points(base, doubted.at - 1, doubted.at).length > 0;
  return { hours, standing: end, borneOut: isBorneOut ? doubted : null };
}

/** The hour, already rolled up, of a value that was then in doubt. */
async function repair(
  rollups: RollupStore,
  { feed: { eventId }, base }: RollUpRequest,
  point: Point,
): Promise<RolledHour> {
  const startsAt = hourOf(point.at);
  const range = { eventId, base, from: startsAt, to: startsAt + HOUR_MS };
  const [known] = await rollups.summaries(range);
  const points = (await rollups.points(range)).filter(({ at }) => at !== point.at);
  const summary = summaryOf(point);
  return {
    startsAt,
    summary: known ? mergeSummaries(known.summary, summary) : summary,
    points: [...points, point].sort((a, b) => a.at - b.at),
  };
}

function recordOf(
  hours: readonly Pick<RolledHour, 'summary'>[],
  before: Summary | null,
): Summary | null {
  return hours.reduce<Summary | null>(
    (record, { summary }) => (record ? mergeSummaries(record, summary) : summary),
    before,
  );
}
