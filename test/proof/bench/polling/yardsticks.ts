// Two yardsticks for polling under a cap, both with knowledge that no policy has: the best that is possible with
// every alert known in advance, and equal gaps at each event's true rate of alerts. Minutes from a refresh to its alert.
import { optimalWaits } from './optimal-waits.ts';

const minuteMs = 60_000;
/** A dispatch run comes within a minute of a refresh. */
const dispatchMinutes = 0.5;

/** One event's alerts, in time order. Times are epoch milliseconds. */
export interface AlertedEvent {
  /** Polling begins and ends. */
  from: number;
  to: number;
  /** The time between two refreshes. */
  gapMs: number;
  /** The refreshes with alerts, and how many each has. */
  refreshes: { at: number; alerts: number }[];
}

function countAlerts(events: readonly AlertedEvent[]): number {
  return events.reduce(
    (sum, { refreshes }) => refreshes.reduce((all, { alerts }) => all + alerts, sum),
    0,
  );
}

/**
 * The least mean delay with these pulls in all: for each event the least waiting with each number of pulls, then
 * the pulls go where they relieve most. The waiting is convex in the number of pulls, so that is exact. The pulls may
 * be spent on any day, so it is a little below what a cap a day allows.
 */
export function offlineOptimum(events: readonly AlertedEvent[], pulls: number): number {
  const waits = events.map((event) => optimalWaits(event));
  const gains = waits.flatMap((each) =>
    each.slice(1).map((waitMs, index) => (each[index] ?? waitMs) - waitMs),
  );
  const relieved = gains.sort((a, b) => b - a).slice(0, pulls);
  const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
  const leftMs = sum(waits.map(([first = 0]) => first)) - sum(relieved);
  return leftMs / minuteMs / Math.max(1, countAlerts(events)) + dispatchMinutes;
}

/**
 * The mean delay of pulls at equal gaps, each right behind a refresh: gaps in proportion to one over the square
 * root of the event's true rate of alerts, and no shorter than its refreshes.
 */
export function equalGapsDelay(events: readonly AlertedEvent[], pulls: number): number {
  const rows = events
    .map((event) => ({ ...event, spanMs: event.to - event.from, alerts: countAlerts([event]) }))
    .filter(({ alerts, spanMs }) => alerts > 0 && spanMs > 0);
  const gapOf = (row: (typeof rows)[number], scale: number) =>
    Math.max(row.gapMs, scale * Math.sqrt(row.spanMs / row.alerts));
  const pullsAt = (scale: number) =>
    rows.reduce((sum, row) => sum + row.spanMs / gapOf(row, scale), 0);
  const scale = bisect((each) => pullsAt(each) > pulls);
  const waitMs = rows.reduce((sum, row) => {
    const refreshesPerPull = gapOf(row, scale) / row.gapMs;
    return sum + row.alerts * row.gapMs * meanWait(refreshesPerPull);
  }, 0);
  return waitMs / minuteMs / Math.max(1, countAlerts(rows)) + dispatchMinutes;
}

/** In refreshes, for a mix of the two whole numbers of refreshes per pull around this one. */
function meanWait(refreshesPerPull: number): number {
  const few = Math.floor(refreshesPerPull);
  const share = refreshesPerPull - few;
  const squares = (1 - share) * few * (few - 1) + share * (few + 1) * few;
  return squares / 2 / refreshesPerPull;
}

/** The least scale at which the pulls suffice. */
function bisect(isTooSmall: (scale: number) => boolean): number {
  let [low, high] = [1e-3, 1e12];
  for (let step = 0; step < 100; step += 1) {
    const middle = Math.sqrt(low * high);
    if (isTooSmall(middle)) low = middle;
    else high = middle;
  }
  return high;
}
