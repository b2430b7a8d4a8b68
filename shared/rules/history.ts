/**
 * Earlier values of an event's series for windows: hourly summaries for whole hours, single values at the
 * edges, so that a window is exact to the snapshot. Decides which prices are believed; stores nothing and
 * reads no clock.
 */

import { MovingMedian } from './moving-median.ts';
import { isJump } from './plausibility.ts';
import type { SeriesKey } from './series.ts';
import { firstIndexFrom, sliceTimes } from './time-order.ts';
import { HOUR_MS } from './window.ts';

/** A value and when the market had it, epoch milliseconds. */
export interface Point {
  at: number;
  value: number;
}

/** A summary of a time range. Merging it twice changes nothing, so a redelivered write is harmless. */
export interface Summary {
  first: Point;
  last: Point;
  low: number;
  high: number;
}

/** The newest believed value of a series, however old, and a newer value that is not confirmed yet. */
export interface LastKnown {
  believed: Point | null;
  suspect: Point | null;
}

/** The history that window transforms read; series are base series, times epoch milliseconds. */
export interface History {
  /** The newest believed value earlier than `at`. */
  before(base: SeriesKey, at: number): Point | null;
  /** Over the believed values in (after, through]; `after` may be -Infinity. */
  summary(base: SeriesKey, after: number, through: number): Summary | null;
  /** Of the believed values in (after, through]; null for none. */
  median(base: SeriesKey, after: number, through: number): number | null;
  /** Whether the value at `at` is a jump that no later snapshot has confirmed yet. */
  isSuspect(base: SeriesKey, at: number): boolean;
}

/** The history of an event without earlier values. */
export const emptyHistory: History = {
  before: () => null,
  summary: () => null,
  median: () => null,
  isSuspect: () => false,
};

interface Hour {
  startsAt: number;
  summary: Summary;
}

interface Track {
  points: Point[];
  hours: Hour[];
  /** The summary of everything before the loaded hours and points; for spans without a start. */
  record: Summary | null;
  suspect: Point | null;
  /** By the length of the window, milliseconds. */
  medians: Map<number, MovingMedian>;
}

/** A `History` that a store, a test or a replay fills. */
export class LoadedHistory implements History {
  readonly #tracks = new Map<SeriesKey, Track>();

  /**
   * Adds the value at a snapshot. Values come in time order; a late value is inserted without a check for
   * jumps, and a second value at the same time is dropped. With `canBeMiskeyed`, a jump waits until the next
   * value confirms it, and is dropped if it does not.
   */
  add(base: SeriesKey, point: Point, canBeMiskeyed: boolean): void {
    const track = this.#trackOf(base);
    const newest = Math.max(track.suspect?.at ?? 0, newestOf(track)?.at ?? 0);
    if (point.at <= newest) {
      if (point.at !== track.suspect?.at) believe(track, point);
      return;
    }
    const { suspect } = track;
    track.suspect = null;
    if (suspect && !isJump(suspect.value, point.value)) believe(track, suspect);
    const last = newestOf(track);
    if (canBeMiskeyed && last && isJump(last.value, point.value)) track.suspect = point;
    else believe(track, point);
  }

  /** Adds a stored hour of believed values; `startsAt` is a whole hour, epoch milliseconds. */
  addHour(base: SeriesKey, startsAt: number, summary: Summary): void {
    mergeHour(this.#trackOf(base), startsAt, summary);
  }

  /** Adds the summary of all time before the other added values. */
  addRecord(base: SeriesKey, summary: Summary): void {
    const track = this.#trackOf(base);
    track.record = track.record ? mergeSummaries(track.record, summary) : summary;
  }

  before(base: SeriesKey, at: number): Point | null {
    const track = this.#tracks.get(base);
    if (!track) return null;
    const point = track.points[firstIndexFrom(track.points, at, pointTime) - 1];
    if (point) return point;
    return track.hours.findLast(({ summary }) => summary.last.at < at)?.summary.last ?? null;
  }

  summary(base: SeriesKey, after: number, through: number): Summary | null {
    const track = this.#tracks.get(base);
    if (!track) return null;
    const wholeFrom = Math.ceil((after + 1) / HOUR_MS) * HOUR_MS;
    const wholeTo = Math.floor((through + 1) / HOUR_MS) * HOUR_MS;
    if (wholeFrom >= wholeTo) return summarize(pointsIn(track, after, through));
    const hours = sliceTimes(track.hours, wholeFrom, wholeTo - 1, hourTime);
    return mergeAll([
      after === Number.NEGATIVE_INFINITY ? track.record : null,
      summarize(pointsIn(track, after, wholeFrom - 1)),
      ...hours.map((hour) => hour.summary),
      summarize(pointsIn(track, wholeTo - 1, through)),
    ]);
  }

  median(base: SeriesKey, after: number, through: number): number | null {
    const track = this.#tracks.get(base);
    if (!track) return null;
    const known = track.medians.get(through - after) ?? new MovingMedian();
    track.medians.set(through - after, known);
    return known.of(after, through, (from, to) =>
      pointsIn(track, from, to).map(({ value }) => value),
    );
  }

  /** Every believed value in (after, through] with its time, oldest first; rollups are made from these. */
  points(base: SeriesKey, after: number, through: number): Point[] {
    const track = this.#tracks.get(base);
    return track ? pointsIn(track, after, through) : [];
  }

  /** The last known values of a series; a later run resumes with them. */
  standing(base: SeriesKey): LastKnown {
    const track = this.#tracks.get(base);
    if (!track) return { believed: null, suspect: null };
    return { believed: newestOf(track), suspect: track.suspect };
  }

  /** Continues a series with the last known values of another history; call it before adding later values. */
  resume(base: SeriesKey, { believed, suspect }: LastKnown): void {
    const track = this.#trackOf(base);
    if (believed) believe(track, believed);
    track.suspect = suspect;
  }

  isSuspect(base: SeriesKey, at: number): boolean {
    return this.#tracks.get(base)?.suspect?.at === at;
  }

  #trackOf(base: SeriesKey): Track {
    const known = this.#tracks.get(base);
    if (known) return known;
    const track: Track = { points: [], hours: [], record: null, suspect: null, medians: new Map() };
    this.#tracks.set(base, track);
    return track;
  }
}

/** The hour that a time falls in, epoch milliseconds. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** One value as a summary. */
export function summaryOf(point: Point): Summary {
  return { first: point, last: point, low: point.value, high: point.value };
}

/** Merges two summaries. Of two values at one time, the first argument's stays. */
export function mergeSummaries(a: Summary, b: Summary): Summary {
  return {
    first: b.first.at < a.first.at ? b.first : a.first,
    last: b.last.at > a.last.at ? b.last : a.last,
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
  };
}

function mergeAll(summaries: (Summary | null)[]): Summary | null {
  return summaries.reduce((all, next) => (all && next ? mergeSummaries(all, next) : (all ?? next)));
}

function summarize(points: readonly Point[]): Summary | null {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  let [low, high] = [first.value, first.value];
  for (const { value } of points) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { first, last, low, high };
}

/** Adds a believed value to the values and to its hour. */
function believe(track: Track, point: Point): void {
  const index = firstIndexFrom(track.points, point.at, pointTime);
  if (track.points[index]?.at === point.at) return;
  track.points.splice(index, 0, point);
  for (const [span, median] of track.medians) {
    if (!median.canTake(point.at)) track.medians.delete(span);
  }
  mergeHour(track, hourOf(point.at), summaryOf(point));
}

function mergeHour(track: Track, startsAt: number, summary: Summary): void {
  const index = firstIndexFrom(track.hours, startsAt, hourTime);
  const known = track.hours[index];
  if (known?.startsAt === startsAt) known.summary = mergeSummaries(known.summary, summary);
  else track.hours.splice(index, 0, { startsAt, summary });
}

function newestOf(track: Track): Point | null {
  const point = track.points.at(-1) ?? null;
  const hour = track.hours.at(-1)?.summary.last ?? null;
  if (!point || !hour) return point ?? hour;
  return hour.at > point.at ? hour : point;
}

function pointsIn(track: Track, after: number, through: number): Point[] {
  return sliceTimes(track.points, after + 1, through, pointTime);
}

function pointTime(point: Point): number {
  return point.at;
}

function hourTime(hour: Hour): number {
  return hour.startsAt;
}
