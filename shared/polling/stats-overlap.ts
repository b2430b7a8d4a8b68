// Sorts the timestamps of a stats answer: new, published late, known, or impossible. Stamps are by the
// service's clock, times by ours, both epoch milliseconds. Pure.
import type { Feed } from './feed.ts';
import { refreshTimes } from './rhythm.ts';
import { earliestStamp, futureToleranceMs } from './service-clock.ts';

/**
 * Each call asks for this span again, because a snapshot may be published late. Rows paid before are free.
 */
export const overlapMs = 3_600_000;
/** The most wrong stamps that are stored. */
const mostStamps = 50;

export type StampKind = 'news' | 'late' | 'known' | 'future' | 'past';

/** The fields of a feed about its stats. */
export type StatsMemory = Pick<
  Feed,
  | 'lastSnapshotAt'
  | 'clockOffsetMs'
  | 'clockBeforeMs'
  | 'overlapFrom'
  | 'wrongStamps'
  | 'paidThrough'
  | 'rhythm'
>;

/** The start of the next query, as a stamp; undefined for everything. */
export function askFrom(memory: StatsMemory, offsetMs: number): number | undefined {
  const { lastSnapshotAt, clockOffsetMs = 0 } = memory;
  if (lastSnapshotAt === undefined) return undefined;
  return overlapStart(memory, lastSnapshotAt) + Math.min(clockOffsetMs, offsetMs) - 1;
}

/** @returns a function that gives the kind of a stamp of the answer. */
export function stampSorter(
  memory: StatsMemory,
  { offsetMs, answeredAt }: { offsetMs: number; answeredAt: number },
): (stamp: number) => StampKind {
  const { lastSnapshotAt, clockOffsetMs = 0 } = memory;
  const known = new Set(refreshTimes(memory.rhythm).map((at) => at + offsetOf(memory, at)));
  // Under another offset the same stamp is another time, so check it again.
  const isSameClock = clockOffsetMs === offsetMs;
  const wrong = new Set(isSameClock ? memory.wrongStamps : []);
  return function kindOf(stamp) {
    const at = stamp - offsetMs;
    if (Number.isNaN(at) || at < earliestStamp) return 'past';
    if (at > answeredAt + futureToleranceMs || wrong.has(stamp)) return 'future';
    if (known.has(stamp)) return 'known';
    if (lastSnapshotAt === undefined || at > lastSnapshotAt) return 'news';
    const isInOverlap = isSameClock && at >= overlapStart(memory, lastSnapshotAt);
    return isInOverlap && stamp > lastStampBefore(memory) ? 'late' : 'known';
  };
}

/** The feed's fields after an answer with these stamps. */
export function rememberStamps(
  memory: StatsMemory,
  answer: { offsetMs: number; wrong: readonly number[]; paidThrough: number | undefined },
): Pick<Feed, 'clockOffsetMs' | 'clockBeforeMs' | 'overlapFrom' | 'wrongStamps' | 'paidThrough'> {
  const { clockOffsetMs = 0, lastSnapshotAt } = memory;
  const isMoved = lastSnapshotAt !== undefined && clockOffsetMs !== answer.offsetMs;
  const paidThrough = answer.paidThrough ?? memory.paidThrough;
  return {
    clockOffsetMs: answer.offsetMs,
    wrongStamps: answer.wrong.slice(0, mostStamps),
    ...(isMoved && { overlapFrom: lastSnapshotAt + 1, clockBeforeMs: clockOffsetMs }),
    ...(paidThrough !== undefined && { paidThrough }),
  };
}

/** Never asks again across a change of the offset, because the same stamps would be other times. */
function overlapStart({ overlapFrom }: StatsMemory, lastSnapshotAt: number): number {
  return Math.max(lastSnapshotAt - overlapMs, overlapFrom ?? 0);
}

/** The offset under which the refresh of a time was stored. */
function offsetOf({ clockOffsetMs = 0, clockBeforeMs, overlapFrom = 0 }: StatsMemory, at: number) {
  return at < overlapFrom ? (clockBeforeMs ?? clockOffsetMs) : clockOffsetMs;
}

/** The newest stamp that was stored under the offset before; stamps up to it are other times now. */
function lastStampBefore({ clockBeforeMs, overlapFrom }: StatsMemory): number {
  if (clockBeforeMs === undefined || overlapFrom === undefined) return Number.NEGATIVE_INFINITY;
  return overlapFrom - 1 + clockBeforeMs;
}
