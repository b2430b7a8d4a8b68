// What the price did after a rule fired: its lowest and highest value, how long the rule stayed true, and
// whether the very next snapshot undid it.
import { parseSeries } from '#shared/rules/series.ts';
import { baseValue, currentOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import { isStillReached } from '#shared/rules/still-reached.ts';
import { type Fire, frozenOf } from './find-fires.ts';
import { countThrough } from './newest-through.ts';

/** A value and when the market had it, epoch milliseconds. */
interface Seen {
  at: number;
  value: number;
}

/** In cents, counts or basis points; of the snapshots after the fire. */
export interface AfterFire {
  lowest: Seen | null;
  highest: Seen | null;
  /**
   * Until the first snapshot at which the rule's number was back, against the baseline of the alert; null
   * if it stayed until the last snapshot.
   */
  stayedMs: number | null;
  /** The next snapshot already had the number back: the alert came and could not be used. */
  undoneAtOnce: boolean;
}

/**
 * @param snapshots of the rule's feed, in time order.
 * A snapshot without a value neither ends the alert nor is a lowest value.
 */
export function afterFire(fire: Fire, snapshots: readonly Snapshot[]): AfterFire {
  const { firing, trigger } = fire;
  const frozen = frozenOf(fire);
  const base = currentOf(parseSeries(trigger.series).base);
  const after: AfterFire = { lowest: null, highest: null, stayedMs: null, undoneAtOnce: false };
  let seen = 0;
  for (
    let index = countThrough(snapshots, firing.observedAt);
    index < snapshots.length;
    index += 1
  ) {
    const snapshot = snapshots[index];
    const value = snapshot && baseValue(base, snapshot);
    if (!snapshot || value === null || value === undefined) continue;
    seen += 1;
    const point = { at: snapshot.observedAt, value };
    if (!after.lowest || value < after.lowest.value) after.lowest = point;
    if (!after.highest || value > after.highest.value) after.highest = point;
    if (after.stayedMs !== null || isStillReached(frozen, snapshot)) continue;
    after.stayedMs = point.at - firing.observedAt;
    after.undoneAtOnce = seen === 1;
  }
  return after;
}
