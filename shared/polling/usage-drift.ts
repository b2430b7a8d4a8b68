// Compares our ledger with the marketplace's usage. Pure numbers; who is told is reconcile's business.
import type { Pull } from './pull.ts';

/** How many calls whose answer was lost the marketplace has charged, as its count tells. */
export function lostCallsCharged(
  usagePulls: number,
  { settled, rows }: { settled: number; rows: readonly Pull[] },
): number {
  return Math.max(0, Math.min(rows.length, usagePulls - settled));
}

/** More than this share apart is drift; less may be a call that one side has not counted yet. */
const toleratedShare = 0.01;

/** Whether ledger and usage differ by more than 1%, calls under way apart. */
export function isDrift(counts: { ledger: number; usage: number; underWay: number }): boolean {
  const apart = Math.abs(counts.usage - counts.ledger) - counts.underWay;
  return apart > Math.max(counts.usage, counts.ledger) * toleratedShare;
}
