/**
 * A second opinion on rules for the property test: no triggers, no index, no levels, no summaries.
 * It walks over every snapshot for every rule and looks back over all of them each time. Written from
 * the README; shares no code with shared/rules but the names of metrics.
 */
import type { MetricName } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

type Json = Record<string, unknown>;

export interface NaiveAlert {
  at: number;
  alreadyTrue: boolean;
}

interface Sight {
  at: number;
  value: number;
}

const HOURS: Record<string, number> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720 };

function spanMs(window: unknown): number {
  return window === 'ever' ? Number.POSITIVE_INFINITY : (HOURS[String(window)] ?? 0) * 3_600_000;
}

/** The alerts of one rule over the snapshots, in time order; `newestAtBirth` is the index of the newest one then, or -1. */
export function naiveAlerts(
  rule: Json,
  snapshots: MarketSnapshot[],
  newestAtBirth: number,
): NaiveAlert[] {
  const walk = new Walk(rule, snapshots);
  for (let i = Math.max(0, newestAtBirth); i < snapshots.length && !walk.isOver; i += 1)
    walk.step(i);
  return walk.alerts;
}

function hundredths(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

function valueAt(snapshot: MarketSnapshot, subject: Json): number | null {
  const name = subject.min_quantity === 2 ? 'get_in_qty2plus' : subject.metric;
  if (subject.zone === undefined) return snapshot.metrics[name as MetricName];
  const zone = snapshot.zones[String(subject.zone)] as Record<string, number | null> | undefined;
  return zone?.[String(name)] ?? null;
}

function jumps(a: number, b: number): boolean {
  return Math.max(a, b) > 10 * Math.min(a, b);
}

function isPrice(subject: Json): boolean {
  return subject.metric !== 'total_listings_active';
}

/** What was believed of the subject by snapshot `i`, and whether the last value is doubted still. */
function believe(snapshots: MarketSnapshot[], i: number, subject: Json) {
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

function baselineOf(from: Json, believed: Sight[], at: number): number | null {
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

/** By how many hundredths of a percent, whole ones; null where percent means nothing. */
function percentPoints(difference: number, base: number): number | null {
  return base === 0 ? null : Number(floorDiv(BigInt(difference) * 10_000n, BigInt(base)));
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Whether a value has changed by as much as is asked, from a base. */
function hasChanged(rule: Json, value: number, base: number): boolean {
  const by = (rule.drops_by ?? rule.rises_by) as Json;
  const difference = rule.drops_by ? base - value : value - base;
  if (difference <= 0) return false;
  const unit = isPrice(rule) ? hundredths : Number;
  if (by.amount !== undefined) return difference >= unit(by.amount);
  const points = percentPoints(difference, base);
  if (points !== null && points < hundredths(by.percent)) return false;
  return by.min_amount === undefined || difference >= unit(by.min_amount);
}

function isWithin(leaf: Json, value: number, unit: (amount: unknown) => number): boolean {
  if (leaf.at_or_below !== undefined) return value <= unit(leaf.at_or_below);
  if (leaf.below !== undefined) return value < unit(leaf.below);
  if (leaf.above !== undefined) return value > unit(leaf.above);
  return value >= unit(leaf.at_or_above);
}

function withFee(value: number, percent: unknown): number {
  return Math.floor((value * (10_000 + hundredths(percent ?? 0)) + 5_000) / 10_000);
}

/** Going back: at least so much of the number on the other side of it, and at least one. */
function isBack(value: number, level: number, isDown: boolean, rule: Json): boolean {
  const unit = isPrice(rule) && rule.type !== 'supply' ? hundredths : Number;
  const away = isDown ? value - level : level - value;
  if (away < 1) return false;
  if (rule.rearm_amount !== undefined) return away >= unit(rule.rearm_amount);
  return away * 10_000 >= level * hundredths(rule.rearm_percent ?? 3);
}

/** One rule's way through the snapshots. */
class Walk {
  readonly alerts: NaiveAlert[] = [];
  isOver = false;
  #phase: 'new' | 'armed' | 'pending' | 'fired' = 'new';
  #count = 0;
  #pendingBase: number | null = null;
  #bornTrue = false;
  #base: number | null = null;
  /** The value of the last alert while further steps count, and how often the next was seen. */
  #announced: number | null = null;
  #furtherCount = 0;
  readonly #rule: Json;
  readonly #subject: Json;
  readonly #snapshots: MarketSnapshot[];

  constructor(rule: Json, snapshots: MarketSnapshot[]) {
    this.#rule = rule;
    this.#subject = rule.type === 'supply' ? { metric: 'total_listings_active' } : rule;
    this.#snapshots = snapshots;
  }

  get #isNews(): boolean {
    const { type, from } = this.#rule;
    return (
      type === 'any_change' || type === 'extreme' || (from as Json)?.of === 'previous_snapshot'
    );
  }

  get #ownBase(): string | null {
    const of = (this.#rule.from as Json)?.of;
    return of === 'last_alert' || of === 'watch_start' ? of : null;
  }

  step(i: number): void {
    const snapshot = this.#snapshots[i] as MarketSnapshot;
    const at = snapshot.observedAt;
    if (at >= Date.parse(String(this.#rule.expires_at ?? '2999-01-01T00:00:00Z'))) {
      this.isOver = true;
      return;
    }
    const value = valueAt(snapshot, this.#subject);
    const { believed, isDoubted } = believe(this.#snapshots, i, this.#subject);
    if (this.#phase === 'new') {
      this.#firstLook(i, value, believed, isDoubted);
      return;
    }
    if (value === null || this.#isWindowEmpty(i, believed)) {
      const clears =
        this.#rule.on_no_data === 'clear' && !this.#isNews && this.#ownBase !== 'last_alert';
      if (clears && this.#phase !== 'armed') this.#rearm();
      return;
    }
    if (this.#phase === 'fired') this.#whileFired(i, value, believed, isDoubted);
    else if (this.#isTrue(i, value, believed)) this.#speak(i, value, isDoubted, believed);
    else if (this.#phase === 'pending') this.#rearm();
  }

  #isWindowEmpty(i: number, believed: Sight[]): boolean {
    if (!this.#isWindowChange || this.#isNews) return false;
    return baselineOf(this.#rule.from as Json, believed, this.#at(i)) === null;
  }

  #rearm(): void {
    this.#phase = 'armed';
    this.#count = 0;
    this.#pendingBase = null;
    this.#announced = null;
    this.#furtherCount = 0;
    this.#bornTrue = false;
  }

  #firstLook(i: number, value: number | null, believed: Sight[], isDoubted: boolean): void {
    if (this.#ownBase !== null) {
      if (value === null || isDoubted) return;
      this.#base = value;
      this.#rearm();
      return;
    }
    const isTrue = value !== null && this.#isTrue(i, value, believed);
    if (!isTrue || value === null) {
      this.#rearm();
      return;
    }
    const wait = this.#rule.type === 'level' || this.#rule.type === 'supply' ? 'fire' : 'wait';
    if ((this.#rule.when_already_true ?? wait) === 'wait') {
      this.#rearm();
      if (!this.#isNews) this.#phase = 'fired';
      return;
    }
    this.#bornTrue = true;
    this.#speak(i, value, isDoubted, believed);
    if (this.#phase === 'new') this.#rearm();
  }

  #speak(i: number, value: number, isDoubted: boolean, believed: Sight[]): void {
    const silence = () => {
      if (this.#phase === 'pending' && this.#isNews) this.#rearm();
    };
    if (!this.#conditionsHold(i)) {
      silence();
      return;
    }
    this.#pendingBase ??= this.#seenBase(i, believed);
    this.#count = isDoubted ? 1 : this.#count + 1;
    if (isDoubted || this.#count < Number(this.#rule.confirmations ?? 1)) {
      this.#phase = 'pending';
      return;
    }
    if (this.#isLimited(i)) {
      this.#count -= 1;
      if (this.#phase !== 'pending') this.#pendingBase = null;
      silence();
      return;
    }
    this.#say(i);
    this.#rearm();
    if (this.#ownBase === 'last_alert') this.#base = value;
    else if (!this.#isNews) {
      this.#phase = 'fired';
      this.#announced = this.#measured(i, value, believed);
    }
  }

  #say(i: number): void {
    this.alerts.push({ at: this.#at(i), alreadyTrue: this.#bornTrue });
  }

  #at(i: number): number {
    return this.#snapshots[i]?.observedAt ?? 0;
  }

  #whileFired(i: number, value: number, believed: Sight[], isDoubted: boolean): void {
    if (!isDoubted && this.#isBackAgain(i, value, believed)) {
      this.#rearm();
      return;
    }
    if (this.#announced === null || this.#rule.repeat_every_further_percent === undefined) return;
    if (!this.#isFurther(i, value, believed)) {
      this.#furtherCount = 0;
      return;
    }
    if (!this.#conditionsHold(i)) return;
    const count = isDoubted ? 1 : this.#furtherCount + 1;
    if (isDoubted || count < Number(this.#rule.confirmations ?? 1)) {
      this.#furtherCount = count;
      return;
    }
    if (this.#isLimited(i)) return;
    this.#say(i);
    this.#furtherCount = 0;
    this.#announced = this.#measured(i, value, believed);
  }

  /** A window change goes on by points, everything else by parts of itself. */
  #isFurther(i: number, value: number, believed: Sight[]): boolean {
    const step = hundredths(this.#rule.repeat_every_further_percent);
    const last = this.#announced ?? 0;
    const now = this.#measured(i, value, believed);
    if (now === null) return false;
    if (this.#isWindowChange) return now >= last + step;
    const isDown = this.#isDown;
    const beyond = isDown ? last - now : now - last;
    return beyond >= 1 && beyond * 10_000 >= step * last;
  }

  get #isWindowChange(): boolean {
    return this.#rule.type === 'change' && this.#ownBase === null;
  }

  get #isDown(): boolean {
    const { at_or_below, below, drops_by } = this.#rule;
    return (at_or_below ?? below ?? drops_by) !== undefined;
  }

  /** What further steps are counted in: points of change, or the value. */
  #measured(i: number, value: number, believed: Sight[]): number | null {
    if (!this.#isWindowChange) return value;
    const base = baselineOf(this.#rule.from as Json, believed, this.#at(i));
    if (base === null) return null;
    return percentPoints(this.#rule.drops_by ? base - value : value - base, base) ?? 10 ** 12;
  }

  /** What a change is seen from, at this snapshot. */
  #seenBase(i: number, believed: Sight[]): number | null {
    const at = this.#at(i);
    if (this.#rule.type === 'change' && this.#ownBase === null) {
      return baselineOf(this.#rule.from as Json, believed, at);
    }
    if (this.#rule.type === 'any_change') {
      return baselineOf({ of: 'previous_snapshot' }, believed, at);
    }
    return this.#rule.type === 'extreme' ? this.#extremeBefore(believed, at) : null;
  }

  #extremeBefore(believed: Sight[], at: number): number | null {
    const since = at - spanMs(this.#rule.within);
    const values = believed.filter((s) => s.at < at && s.at > since).map((s) => s.value);
    if (values.length === 0) return null;
    return this.#rule.new === 'low' ? Math.min(...values) : Math.max(...values);
  }

  #isTrue(i: number, value: number, believed: Sight[]): boolean {
    const { type } = this.#rule;
    if (type === 'level')
      return isWithin(this.#rule, withFee(value, this.#rule.fee_percent), hundredths);
    if (type === 'supply') return isWithin(this.#rule, value, Number);
    const fixed = this.#isNews && this.#phase === 'pending' ? this.#pendingBase : null;
    const base = this.#base ?? fixed ?? this.#seenBase(i, believed);
    if (base === null) return false;
    if (type === 'change') return hasChanged(this.#rule, value, base);
    const least = hundredths(this.#rule.min_amount ?? 0.01);
    if (type === 'extreme') {
      return (this.#rule.new === 'low' ? base - value : value - base) >= least;
    }
    const difference = Math.abs(value - base);
    if (this.#rule.min_percent === undefined) return difference >= least;
    return (percentPoints(difference, base) ?? 0) >= hundredths(this.#rule.min_percent);
  }

  #isBackAgain(i: number, value: number, believed: Sight[]): boolean {
    if (this.#rule.type === 'level' || this.#rule.type === 'supply' || this.#ownBase !== null) {
      return isBack(value, this.#outermost(value), this.#isDown, this.#rule);
    }
    const base = baselineOf(this.#rule.from as Json, believed, this.#at(i));
    if (base === null) return false;
    const by = (this.#rule.drops_by ?? this.#rule.rises_by) as Json;
    const difference = this.#rule.drops_by ? base - value : value - base;
    const isPercent = by.percent !== undefined;
    const asked = isPercent
      ? hundredths(by.percent)
      : isPrice(this.#rule)
        ? hundredths(by.amount)
        : Number(by.amount);
    const half = Math.ceil(asked / 2);
    const undone = isPercent ? Math.min(300, half) : half;
    if (!isPercent) return difference <= asked - undone;
    const points =
      base === 0
        ? difference === 0
          ? 0
          : 10 ** 12 * Math.sign(difference)
        : percentPoints(difference, base);
    return (points ?? 0) <= asked - undone;
  }

  /** The value nearest to not being true any more, found by trying. */
  #outermost(near: number): number {
    const isTrue = (value: number) =>
      value >= 0 &&
      (this.#base === null
        ? this.#rule.type === 'supply'
          ? isWithin(this.#rule, value, Number)
          : isWithin(this.#rule, withFee(value, this.#rule.fee_percent), hundredths)
        : hasChanged(this.#rule, value, this.#base));
    const outward = this.#isDown ? 1 : -1;
    let value = near;
    while (!isTrue(value)) value -= outward;
    while (isTrue(value + outward)) value += outward;
    return value;
  }

  #isLimited(i: number): boolean {
    const at = this.#at(i);
    const coolDownMs = Number(this.#rule.cool_down_minutes ?? 0) * 60_000;
    if (this.alerts.some((alert) => at - alert.at < coolDownMs)) return true;
    const most = this.#rule.at_most_per_day ?? (this.#rule.type === 'any_change' ? 10 : 1e9);
    return this.alerts.filter((alert) => at - alert.at < 86_400_000).length >= Number(most);
  }

  #conditionsHold(i: number): boolean {
    const { all_of, any_of, min_history_hours, from, within } = this.#rule;
    const snapshot = this.#snapshots[i] as MarketSnapshot;
    const { believed } = believe(this.#snapshots, i, this.#subject);
    const window = (from as Json)?.window ?? within;
    if (min_history_hours !== undefined) {
      const at = snapshot.observedAt;
      const first = believed.find((sight) => sight.at > at - spanMs(window));
      if (!first || at - first.at < Number(min_history_hours) * 3_600_000) return false;
    }
    const holds = (condition: Json): boolean => {
      const members = condition.conditions as Json[] | undefined;
      if (condition.type === 'all_of') return members?.every(holds) ?? true;
      if (condition.type === 'any_of') return members?.some(holds) ?? false;
      const value = valueAt(snapshot, condition);
      if (value === null) return false;
      if (condition.type !== 'change') {
        return isWithin(condition, value, condition.type === 'level' ? hundredths : Number);
      }
      const seen = believe(this.#snapshots, i, condition).believed;
      const base = baselineOf(condition.from as Json, seen, snapshot.observedAt);
      return base !== null && hasChanged(condition, value, base);
    };
    const all = (all_of as Json[] | undefined) ?? [];
    const any = (any_of as Json[] | undefined) ?? [];
    return all.every(holds) && (any.length === 0 || any.some(holds));
  }
}
