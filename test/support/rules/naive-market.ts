/**
 * The naive evaluator's view of markets: values, which of them are trusted, baselines, changes.
 * Reads all snapshots each time; shares no code with shared/rules except the names of metrics.
 */
import type { MetricName } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

export type Json = Record<string, unknown>;

export interface Sight {
  at: number;
  value: number;
}

const HOURS: Record<string, number> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720 };

export function spanMs(window: unknown): number {
  return window === 'ever' ? Number.POSITIVE_INFINITY : (HOURS[String(window)] ?? 0) * 3_600_000;
}

export function hundredths(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

export function valueAt(snapshot: MarketSnapshot, subject: Json): number | null {
  const name = subject.min_quantity === 2 ? 'get_in_qty2plus' : subject.metric;
  if (subject.zone === undefined) return snapshot.metrics[name as MetricName];
  const zone = snapshot.zones[String(subject.zone)] as Record<string, number | null> | undefined;
  return zone?.[String(name)] ?? null;
}

export function jumps(a: number, b: number): boolean {
  return Math.max(a, b) > 10 * Math.min(a, b);
}

export function isPrice(subject: Json): boolean {
  return subject.metric !== 'total_listings_active';
}

/** The trusted values of the subject up to snapshot `i`, and whether the last value is still in doubt. */
export function believe(snapshots: MarketSnapshot[], i: number, subject: Json) {
  const believed: Sight[] = [];
  let doubted: Sight | null = null;
  for (const snapshot of snapshots.slice(0, i + 1)) {
    const value = valueAt(snapshot, subject);
    if (value === null) continue;
    const sight = { at: snapshot.observedAt, value };
    if (doubted && !jumps(doubted.value, value)) believed.push(doubted);
    doubted = null;
    const last = believed.at(-1);
    if (isPrice(subject) && last && jumps(last.value, value)) doubted = sight;
    else believed.push(sight);
  }
  return { believed, isDoubted: doubted?.at === snapshots[i]?.observedAt };
}

export function baselineOf(from: Json, believed: Sight[], at: number): number | null {
  const earlier = believed.filter((sight) => sight.at < at);
  if (from.of === 'previous_snapshot') return earlier.at(-1)?.value ?? null;
  const inWindow = believed.filter((s) => s.at <= at && s.at > at - spanMs(from.window));
  if (!inWindow.some((sight) => sight.at < at)) return null;
  const values = inWindow.map((sight) => sight.value);
  if (from.of === 'start') return values[0] ?? null;
  if (from.of === 'high') return Math.max(...values);
  if (from.of === 'low') return Math.min(...values);
  values.sort((a, b) => a - b);
  const half = values.length / 2;
  const middle = Number.isInteger(half) ? [values[half - 1], values[half]] : [values[half - 0.5]];
  return Math.round(middle.reduce<number>((sum, value) => sum + (value ?? 0), 0) / middle.length);
}

/** The change in hundredths of a percent, whole ones; null if percent has no meaning. */
export function percentPoints(difference: number, base: number): number | null {
  return base === 0 ? null : Number(floorDiv(BigInt(difference) * 10_000n, BigInt(base)));
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Whether a value has changed from a base by at least the asked amount. */
export function hasChanged(rule: Json, value: number, base: number): boolean {
  const by = (rule.drops_by ?? rule.rises_by) as Json;
  const difference = rule.drops_by ? base - value : value - base;
  if (difference <= 0) return false;
  const unit = isPrice(rule) ? hundredths : Number;
  if (by.amount !== undefined) return difference >= unit(by.amount);
  const points = percentPoints(difference, base);
  if (points !== null && points < hundredths(by.percent)) return false;
  return by.min_amount === undefined || difference >= unit(by.min_amount);
}

export function isWithin(leaf: Json, value: number, unit: (amount: unknown) => number): boolean {
  if (leaf.at_or_below !== undefined) return value <= unit(leaf.at_or_below);
  if (leaf.below !== undefined) return value < unit(leaf.below);
  if (leaf.above !== undefined) return value > unit(leaf.above);
  return value >= unit(leaf.at_or_above);
}

export function withFee(value: number, percent: unknown): number {
  return Math.floor((value * (10_000 + hundredths(percent ?? 0)) + 5_000) / 10_000);
}

/** The rearm distance: at least this share of the number on its other side, and at least one. */
export function isBack(value: number, level: number, isDown: boolean, rule: Json): boolean {
  const unit = isPrice(rule) && rule.type !== 'supply' ? hundredths : Number;
  const away = isDown ? value - level : level - value;
  if (away < 1) return false;
  if (rule.rearm_amount !== undefined) return away >= unit(rule.rearm_amount);
  return away * 10_000 >= level * hundredths(rule.rearm_percent ?? 3);
}

/** Whether a further condition holds at snapshot `i`. */
export function holdsAt(condition: Json, snapshots: MarketSnapshot[], i: number): boolean {
  const members = condition.conditions as Json[] | undefined;
  const holds = (member: Json) => holdsAt(member, snapshots, i);
  if (condition.type === 'all_of') return members?.every(holds) ?? true;
  if (condition.type === 'any_of') return members?.some(holds) ?? false;
  const snapshot = snapshots[i] as MarketSnapshot;
  const value = valueAt(snapshot, condition);
  if (value === null) return false;
  if (condition.type !== 'change') {
    return isWithin(condition, value, condition.type === 'level' ? hundredths : Number);
  }
  const seen = believe(snapshots, i, condition).believed;
  const from = condition.from as Json;
  const base = baselineOf(from, seen, snapshot.observedAt);
  if (base === null || !hasChanged(condition, value, base)) return false;
  return (
    from.window === undefined ||
    isKnownFor(defaultHours(from.window), from.window, seen, snapshot.observedAt)
  );
}

/** How much history a window must have if the rule does not say: half of it; a day of `ever`. */
export function defaultHours(window: unknown): number {
  return window === 'ever' ? 24 : (HOURS[String(window)] ?? 0) / 2;
}

/** Whether the oldest trusted value inside the window is so many hours old. */
export function isKnownFor(hours: number, window: unknown, seen: Sight[], at: number): boolean {
  const first = seen.find((sight) => sight.at > at - spanMs(window));
  return first !== undefined && at - first.at >= hours * 3_600_000;
}

/** Whether enough of a change from `base` is reversed for its rule to alert again. */
export function isUndone(rule: Json, value: number, base: number): boolean {
  const by = (rule.drops_by ?? rule.rises_by) as Json;
  const difference = rule.drops_by ? base - value : value - base;
  const margin = rule.rearm_percent === undefined ? null : hundredths(rule.rearm_percent);
  if (by.percent === undefined) {
    const asked = isPrice(rule) ? hundredths(by.amount) : Number(by.amount);
    if (margin === null) return difference <= asked - Math.ceil(asked / 2);
    return difference < asked && difference * 10_000 <= asked * (10_000 - margin);
  }
  const asked = hundredths(by.percent);
  const undone = margin ?? Math.min(300, Math.ceil(asked / 2));
  const points = base === 0 ? difference * 10 ** 12 : (percentPoints(difference, base) ?? 0);
  return points < asked && points <= asked - undone;
}

/** The last number for which the condition is true, found by search outward from a near one. */
export function lastTrue(isTrue: (value: number) => boolean, near: number, outward: number) {
  let value = near;
  while (!isTrue(value)) value -= outward;
  while (isTrue(value + outward)) value += outward;
  return value;
}
