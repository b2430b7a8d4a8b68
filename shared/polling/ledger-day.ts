// The rows of the ledger of one day, added up: what is settled, and the calls whose cost may still change. Pure.
import { type FeedKind, forEachFeedKind } from './feed-kinds.ts';
import type { Pull } from './pull.ts';

/** What is counted of a row. */
export type CountedPull = Pick<
  Pull,
  'day' | 'callId' | 'eventId' | 'kind' | 'pulls' | 'mostPulls' | 'state' | 'pulledAt'
>;

/** The sums of a UTC day, or of its part from a time on. */
export interface LedgerDay {
  day: string;
  /** Earlier rows are not counted, epoch milliseconds. */
  from: number;
  /** The pulls of settled calls. */
  settled: Record<FeedKind, number>;
  /** The calls whose answer was lost. */
  lost: CountedPull[];
}

/** The pulls of one event; called for each event of a day, not more than once. */
export type VisitEvent = (day: string, eventId: number, pulls: number) => void;

export function emptyDay(day: string, from: number): LedgerDay {
  return { day, from, settled: forEachFeedKind(() => 0), lost: [] };
}

/** Adds a row to the sums, which it changes. @returns false for a row before the time from which is counted. */
export function countRow(sums: LedgerDay, row: CountedPull): boolean {
  if (row.pulledAt < sums.from) return false;
  if (row.state === 'settled') sums.settled[row.kind] += row.pulls;
  else sums.lost.push(row);
  return true;
}

/** All pulls of a day. */
export function pullsOfDay({ settled, lost }: Pick<LedgerDay, 'settled' | 'lost'>): number {
  const certain = Object.values(settled).reduce((sum, pulls) => sum + pulls, 0);
  return lost.reduce((sum, { pulls }) => sum + pulls, certain);
}

/** Days by kind: the pulls of settled calls, and the calls whose answer was lost. */
export function countByKind(
  days: readonly LedgerDay[],
): Record<FeedKind, { settled: number; rows: CountedPull[] }> {
  return forEachFeedKind((kind) => ({
    settled: days.reduce((sum, { settled }) => sum + settled[kind], 0),
    rows: days.flatMap(({ lost }) => lost.filter((row) => row.kind === kind)),
  }));
}
