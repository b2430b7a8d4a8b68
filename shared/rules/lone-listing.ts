/**
 * Whether a price is that of one listing far under the rest, while the rest stayed: perhaps mis-keyed. Only
 * for the words of an alert; it stops none.
 */
import type { History } from './history.ts';
import type { MetricName } from './metric.ts';
import { isFarUnder } from './plausibility.ts';
import {
  type BaseSeries,
  baseKeyOf,
  baseValue,
  listingsOf,
  type Snapshot,
} from './sources/sources.ts';

const getIns: readonly MetricName[] = ['get_in', 'get_in_qty2plus'];

/** How far the median may move while the rest of the market counts as unchanged: a twentieth. */
const STILL_PART = 20;

/** `history` must hold the values up to and including the snapshot. */
export function isLoneListing(base: BaseSeries, snapshot: Snapshot, history: History): boolean {
  const [cheapest, next] = listingsOf(base, snapshot);
  if (cheapest) return next !== undefined && isFarUnder(cheapest.priceCents, next.priceCents);
  const median = stillSeries(base);
  if (median === null || !isStill(median, snapshot, history)) return false;
  const now = baseValue(base, snapshot);
  const before = now === null ? null : priceBefore(base, now, snapshot.observedAt, history);
  return now !== null && before !== null && isFarUnder(now, before);
}

/** The series that shows whether the rest of the market moved; null for a number that is no get-in. */
export function stillSeries(base: BaseSeries): BaseSeries | null {
  if (base.kind !== 'metric' || !getIns.includes(base.metric)) return null;
  return { ...base, metric: 'median_price' };
}

function isStill(median: BaseSeries, snapshot: Snapshot, history: History): boolean {
  const now = baseValue(median, snapshot);
  const before = history.before(baseKeyOf(median), snapshot.observedAt)?.value ?? null;
  if (now === null || before === null) return false;
  return Math.abs(now - before) * STILL_PART <= before;
}

/** The price before it fell: a fall that waited for its confirmation happened one snapshot earlier. */
function priceBefore(base: BaseSeries, now: number, at: number, history: History): number | null {
  const key = baseKeyOf(base);
  const last = history.before(key, at);
  if (last === null || isFarUnder(now, last.value)) return last?.value ?? null;
  return history.before(key, last.at)?.value ?? null;
}
