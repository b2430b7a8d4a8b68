// How far one rule is from speaking: its current value, its level, the distance, in numbers and in words. Plain
// values only.
import { askedLevelOf } from '#shared/alerts/asked-level.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import type { Unit } from '#shared/rules/metric.ts';
import { withFeeCents } from '#shared/rules/money.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { isReached, type Trigger, type TriggerSpec } from '#shared/rules/trigger.ts';
import type { Compared, TimedReading } from './compared.ts';
import { standingWords } from './standing-words.ts';

export interface RuleStatus {
  ruleId: string;
  state: Trigger['state'] | 'not_made';
  unit: Unit;
  /** The compared number: a price with the rule's fee, a change, or a count. */
  value: number | null;
  level: number | null;
  /** Distance from the value to its level; 0 or less when the level is reached. */
  distance: number | null;
  isReached: boolean | null;
  words: string;
}

export interface StandingInput {
  ruleId: string;
  rule: Rule;
  /** The rule's main trigger; undefined if it is not made yet. */
  trigger: Trigger | undefined;
  /** The trigger's series at the newest snapshot; undefined if none is stored. */
  reading: TimedReading | undefined;
}

/** The standing of a rule at the newest snapshot. */
export function standingOf({ ruleId, rule, trigger, reading }: StandingInput): RuleStatus {
  const state = trigger?.state ?? 'not_made';
  const [spec] = compileRule(rule);
  if (!spec) throw new Error('a rule compiles to one trigger at least');
  const compared = compare(rule, { spec, trigger, reading });
  const { unit, value, level } = compared;
  const distance = value === null || level === null ? null : distanceOf(compared, value - level);
  const words = standingWords(compared);
  return { ruleId, state, unit, value, level, distance, isReached: compared.isReached, words };
}

/** A drop that is large enough in percent but too small in dollars is at its level and not reached. */
function distanceOf({ spec, rule }: Compared, beyond: number): number {
  const isDown = rule.type === 'extreme' ? rule.new === 'low' : spec.direction === 'down';
  return isDown ? beyond : 0 - beyond;
}

type Seen = Pick<Compared, 'spec' | 'trigger' | 'reading'>;

function compare(rule: Rule, seen: Seen): Compared {
  const { spec, trigger, reading } = seen;
  const level = levelOf(spec, trigger);
  const value = reading?.base === null && rule.type !== 'listing' ? null : comparedValue(seen);
  const unit = unitOfSeries(spec);
  const isTrue =
    value === null || level === null ? null : isReached({ ...spec, level }, value) && isLarge(seen);
  const plain = { ...seen, rule, unit, value, level, isReached: isTrue };
  if (rule.type === 'level' || rule.type === 'listing')
    return { ...plain, ...withFee(rule, plain) };
  return rule.type === 'extreme' ? { ...plain, ...asPrices(rule, plain) } : plain;
}

/** A rise from none has no percentage. */
function comparedValue({ reading, spec }: Seen): number | null {
  const isPercent = parseSeries(spec.series).transform?.measure.endsWith('_pct') ?? false;
  return isPercent && reading?.baseline === 0 ? null : (reading?.standing ?? null);
}

/** A level relative to a baseline is known only after its trigger has seen a snapshot. */
function levelOf(spec: TriggerSpec, trigger: Trigger | undefined): number | null {
  if (spec.relative === null) return spec.level;
  return trigger && trigger.memory.baseline !== null ? trigger.level : null;
}

function unitOfSeries({ series }: TriggerSpec): Unit {
  const { base, transform } = parseSeries(series);
  return transform?.measure.endsWith('_pct') ? 'rate' : unitOf(base);
}

function isLarge({ spec, reading }: Seen): boolean {
  const { base = null, baseline = null } = reading ?? {};
  if (spec.leastChange === null || base === null || baseline === null) return true;
  return Math.abs(base - baseline) >= spec.leastChange;
}

/** The level as its owner wrote it, and the price with the fee that it includes. */
function withFee(rule: Extract<Rule, { type: 'level' | 'listing' }>, { spec, value }: Compared) {
  const asked = askedLevelOf(rule) ?? spec.level;
  const [below, above] = rule.type === 'level' ? [rule.below, rule.above] : [undefined, undefined];
  const level = below !== undefined ? asked - 1 : above !== undefined ? asked + 1 : asked;
  return { level, value: value === null ? null : withFeeCents(value, spec.feeBps) };
}

/** A new low as a price: the highest one that would be it. */
function asPrices(rule: Extract<Rule, { type: 'extreme' }>, { spec, reading }: Compared) {
  const { base = null, baseline = null } = reading ?? {};
  const step = rule.new === 'low' ? 0 - spec.level : spec.level;
  return { value: base, level: baseline === null ? null : baseline + step };
}
