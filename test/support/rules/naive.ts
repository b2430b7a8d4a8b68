/**
 * An independent evaluator of rules for the property test: no triggers, no index, no levels, no summaries.
 * For every rule it walks over every snapshot and reads all earlier ones each time. Written from
 * the README; shares no code with shared/rules except the names of metrics.
 */
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import {
  baselineOf,
  believe,
  defaultHours,
  hasChanged,
  holdsAt,
  hundredths,
  isBack,
  isKnownFor,
  isUndone,
  isWithin,
  type Json,
  lastTrue,
  percentPoints,
  type Sight,
  spanMs,
  valueAt,
  withFee,
} from './naive-market.ts';

export interface NaiveAlert {
  at: number;
  alreadyTrue: boolean;
}

/** Times in epoch milliseconds. */
export interface NaiveRecovery {
  at: number;
  /** The alert after which the number went back. */
  alertAt: number;
}

/** The alerts of one rule over the snapshots, in time order; `newestAtBirth` is the index of the newest snapshot then, or -1. */
export function naiveAlerts(
  rule: Json,
  snapshots: MarketSnapshot[],
  newestAtBirth: number,
): NaiveAlert[] {
  return walked(rule, snapshots, newestAtBirth).alerts;
}

/** When the number went back after an alert of a rule with `tell_recovery`. */
export function naiveRecoveries(
  rule: Json,
  snapshots: MarketSnapshot[],
  newestAtBirth: number,
): NaiveRecovery[] {
  return walked(rule, snapshots, newestAtBirth).recoveries;
}

/** When a rule's number went back so far that it can alert again. */
export function naiveRearms(
  rule: Json,
  snapshots: MarketSnapshot[],
  newestAtBirth: number,
): number[] {
  return walked(rule, snapshots, newestAtBirth).rearms;
}

function walked(rule: Json, snapshots: MarketSnapshot[], newestAtBirth: number): Walk {
  const walk = new Walk(rule, snapshots);
  for (let i = Math.max(0, newestAtBirth); i < snapshots.length && !walk.isOver; i += 1)
    walk.step(i);
  return walk;
}

/** Evaluates one rule over the snapshots. */
class Walk {
  readonly alerts: NaiveAlert[] = [];
  readonly recoveries: NaiveRecovery[] = [];
  /** When it became armed after an alert, epoch milliseconds. */
  readonly rearms: number[] = [];
  isOver = false;
  #phase: 'new' | 'armed' | 'pending' | 'fired' = 'new';
  #now = 0;
  #count = 0;
  #pendingBase: number | null = null;
  #bornTrue = false;
  #base: number | null = null;
  /** The alert whose end must be told. */
  #toEnd: number | null = null;
  /** The value of the last alert while further steps count, and how often the next one was seen. */
  #announced: number | null = null;
  #furtherCount = 0;
  /** Whether the absence of a value has been told, and how many absences in a row were seen. */
  #gap: 'new' | 'awaited' | 'told' = 'new';
  #gapCount = 0;
  #gapBornTrue = false;
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
    this.#now = this.#at(i);
    this.isOver = this.#at(i) >= Date.parse(String(this.#rule.expires_at ?? '2999-01-01'));
    if (this.isOver) return;
    const value = valueAt(this.#snapshots[i] as MarketSnapshot, this.#subject);
    const { believed, isDoubted } = believe(this.#snapshots, i, this.#subject);
    if (this.#rule.on_no_data === 'alert') this.#watchGap(i, value === null, isDoubted);
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

  /** Missing data is told once until a believed value is back; its alerts and the others share the limits. */
  #watchGap(i: number, isMissing: boolean, isDoubted: boolean): void {
    if (!isMissing) {
      if (this.#gap === 'told' && isDoubted) return;
      this.#gap = 'awaited';
      this.#gapCount = 0;
      return;
    }
    if (this.#gap === 'told') return;
    if (this.#gap === 'new' && this.#rule.when_already_true === 'wait') {
      this.#gap = 'told';
      return;
    }
    const bornTrue = this.#gap === 'new' || (this.#gapCount > 0 && this.#gapBornTrue);
    this.#gapBornTrue = bornTrue;
    this.#gap = 'awaited';
    this.#gapCount += 1;
    if (this.#gapCount < Number(this.#rule.confirmations ?? 1) || this.#isLimited(i)) return;
    this.alerts.push({ at: this.#at(i), alreadyTrue: bornTrue });
    this.#gap = 'told';
  }

  #isWindowEmpty(i: number, believed: Sight[]): boolean {
    if (!this.#isWindowChange || this.#isNews) return false;
    return baselineOf(this.#rule.from as Json, believed, this.#at(i)) === null;
  }

  #rearm(): void {
    if (this.#phase === 'fired') this.rearms.push(this.#now);
    this.#phase = 'armed';
    this.#count = 0;
    this.#pendingBase = null;
    this.#announced = null;
    this.#furtherCount = 0;
    this.#bornTrue = false;
    this.#toEnd = null;
  }

  #firstLook(i: number, value: number | null, believed: Sight[], isDoubted: boolean): void {
    if (this.#ownBase !== null) {
      if (value === null || isDoubted) return;
      this.#base = value;
      this.#rearm();
      return;
    }
    if (value === null || !this.#isTrue(i, value, believed)) {
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
      if (this.#rule.tell_recovery === true && !this.#isWindowChange) this.#toEnd = this.#at(i);
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
      if (this.#toEnd !== null) this.recoveries.push({ at: this.#at(i), alertAt: this.#toEnd });
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

  /** The step of a window change is in points, of everything else in parts of the value. */
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

  /** The unit of further steps: points of change, or the value. */
  #measured(i: number, value: number, believed: Sight[]): number | null {
    if (!this.#isWindowChange) return value;
    const base = baselineOf(this.#rule.from as Json, believed, this.#at(i));
    if (base === null) return null;
    return percentPoints(this.#rule.drops_by ? base - value : value - base, base) ?? 10 ** 12;
  }

  /** The base of a change, at this snapshot. */
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
    return isUndone(this.#rule, value, base);
  }

  /** The last value at which the rule is still true, found by search. */
  #outermost(near: number): number {
    const isTrue = (value: number) =>
      value >= 0 &&
      (this.#base === null
        ? this.#rule.type === 'supply'
          ? isWithin(this.#rule, value, Number)
          : isWithin(this.#rule, withFee(value, this.#rule.fee_percent), hundredths)
        : hasChanged(this.#rule, value, this.#base));
    return lastTrue(isTrue, near, this.#isDown ? 1 : -1);
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
    const { believed } = believe(this.#snapshots, i, this.#subject);
    const window = (from as Json)?.window ?? within;
    if (window !== undefined) {
      const hours = Number(min_history_hours ?? defaultHours(window));
      if (!isKnownFor(hours, window, believed, this.#at(i))) return false;
    }
    const holds = (condition: Json) => holdsAt(condition, this.#snapshots, i);
    const all = (all_of as Json[] | undefined) ?? [];
    const any = (any_of as Json[] | undefined) ?? [];
    return all.every(holds) && (any.length === 0 || any.some(holds));
  }
}
