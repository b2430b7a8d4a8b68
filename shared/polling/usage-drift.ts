// Compares our ledger with the marketplace's usage. Pure numbers; reconcile sends the notices.
import { mostPullsOf, type Pull } from './pull.ts';

/**
 * What each call with a lost answer cost, by the marketplace's count. The count does not say which were charged:
 * the oldest count as charged first, and a call counts more than once only when no other is left.
 * @returns pulls by call id; no call has more than its upper bound.
 */
export function costOfLostCalls(
  usagePulls: number,
  {
    settled,
    rows,
  }: { settled: number; rows: readonly Pick<Pull, 'callId' | 'pulledAt' | 'mostPulls'>[] },
): Map<string, number> {
  const oldestFirst = rows.toSorted((a, b) => a.pulledAt - b.pulledAt);
  const costs = new Map(oldestFirst.map(({ callId }) => [callId, 0]));
  let left = usagePulls - settled;
  while (left > 0) {
    const open = oldestFirst.filter((row) => (costs.get(row.callId) ?? 0) < mostPullsOf(row));
    if (open.length === 0) break;
    for (const { callId } of open.slice(0, left)) costs.set(callId, (costs.get(callId) ?? 0) + 1);
    left -= open.length;
  }
  return costs;
}

/** A larger difference is drift; a smaller one may be a call that one side has not counted yet. */
const toleratedShare = 0.01;

/** Whether ledger and usage differ by more than 1%, not counting running calls. */
export function isDrift(counts: { ledger: number; usage: number; underWay: number }): boolean {
  const apart = Math.abs(counts.usage - counts.ledger) - counts.underWay;
  return apart > Math.max(counts.usage, counts.ledger) * toleratedShare;
}
