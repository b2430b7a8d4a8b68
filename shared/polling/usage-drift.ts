// Compares our ledger with the marketplace's usage. Pure numbers; reconcile sends the notices.
import type { Pull } from './pull.ts';

/** How many of the calls with a lost answer were charged, according to the marketplace's count. */
export function lostCallsCharged(
  usagePulls: number,
  { settled, rows }: { settled: number; rows: readonly Pull[] },
): number {
  return Math.max(0, Math.min(rows.length, usagePulls - settled));
}

/** A larger difference is drift; a smaller one may be a call that one side has not counted yet. */
const toleratedShare = 0.01;

/** Whether ledger and usage differ by more than 1%, not counting running calls. */
export function isDrift(counts: { ledger: number; usage: number; underWay: number }): boolean {
  const apart = Math.abs(counts.usage - counts.ledger) - counts.underWay;
  return apart > Math.max(counts.usage, counts.ledger) * toleratedShare;
}
