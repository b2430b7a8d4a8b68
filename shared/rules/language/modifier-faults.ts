/**
 * The modifiers of a rule that its kind refuses, by the table, and amounts that would never have an effect.
 * The API refuses a new or edited rule with one; a stored rule is compiled and said without it.
 */
import { isWithinBounds, rearmFrom } from '../level.ts';
import type { Unit } from '../metric.ts';
import { bpsOf, centsOf, count, type Quantity, rateOf } from '../units.ts';
import { HOUR_MS, windowMs } from '../window.ts';
import { countSide, priceSide, rateSide, type Side } from './asked-side.ts';
import { fieldAndValueOf, modifierNames, modifierTable, ruleKindOf } from './modifier-table.ts';
import type { Rule } from './rule.ts';
import { readChange } from './subject.ts';

/** A refused modifier: its field in the rule, and what to do. */
export interface ModifierFault {
  field: string;
  message: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The modifiers that the table refuses, also in a rule whose other fields are faulty. */
export function tableFaults(rule: Fields): ModifierFault[] {
  const kind = ruleKindOf(rule);
  if (kind === null) return [];
  return modifierNames.flatMap((modifier) => {
    const { field, value } = fieldAndValueOf(modifier);
    const given = rule[field];
    const cell = modifierTable[modifier][kind];
    const isGiven = given !== undefined && (value === undefined || String(given) === value);
    return isGiven && 'refused' in cell ? [{ field, message: cell.refused }] : [];
  });
}

/** All refused modifiers: by the table, and by amounts that would never have an effect. */
export function modifierFaults(rule: Rule): ModifierFault[] {
  const refused = tableFaults({ ...rule });
  const isFree = (field: string) => refused.every((fault) => fault.field !== field);
  const amounts = amountFaults(rule).filter(({ field }) => isFree(field));
  return [...refused, ...amounts];
}

/** The rule without the modifiers that its kind refuses. A rule that validation accepted is unchanged. */
export function withoutRefused<Any extends Rule>(rule: Any): Any {
  const faults = modifierFaults(rule);
  if (faults.length === 0) return rule;
  const left = { ...rule };
  for (const { field } of faults) Reflect.deleteProperty(left, field);
  return left;
}

function amountFaults(rule: Rule): ModifierFault[] {
  const { rearm_percent: percent, rearm_amount: amount } = rule;
  const faults = [
    ['rearm_percent', percent === undefined ? undefined : percentFault(rule, percent)],
    ['rearm_amount', amount === undefined ? undefined : distanceFault(rule, amount)],
    ['min_history_hours', historyFault(rule)],
    ['repeat_every_further_percent', furtherFault(rule)],
  ] as const;
  return faults.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
}

/** Part of the change must remain, because it may never be undone as a whole. */
function percentFault(rule: Rule, margin: number): string | undefined {
  if (rule.type !== 'change') return reachFault(rule, { percent: margin });
  const { percent } = readChange(rule).by;
  if ('window' in rule.from && percent !== undefined) {
    const isLess = margin < percent;
    return isLess
      ? undefined
      : 'must be less than the percent of the change, or it would never re-arm';
  }
  const canFall = 'window' in rule.from || rule.rises_by !== undefined;
  return canFall && margin >= 100 ? 'must be less than 100, or it would never re-arm' : undefined;
}

function distanceFault(rule: Rule, distance: number): string | undefined {
  if (isAboutCounts(rule) && !Number.isInteger(distance)) {
    return 'must be a whole number of listings';
  }
  if (rule.type !== 'change') return reachFault(rule, { amount: distance });
  const { amount } = readChange(rule).by;
  if ('window' in rule.from) {
    const isLess = amount === undefined || distance < amount;
    return isLess
      ? undefined
      : 'must be less than the amount of the change, or it would never re-arm';
  }
  if (rule.rises_by === undefined) return undefined;
  if (amount === undefined) {
    return 'is an amount, but the rise is in percent, and the amount could be more than the price; use rearm_percent';
  }
  return distance > amount
    ? 'must be at most the amount of the rise, or it might never re-arm'
    : undefined;
}

function isAboutCounts(rule: Rule): boolean {
  return rule.type === 'supply' || ('metric' in rule && rule.metric === 'total_listings_active');
}

function historyFault(rule: Rule): string | undefined {
  if (!('min_history_hours' in rule) || rule.min_history_hours === undefined) return undefined;
  const span = rule.type === 'extreme' ? rule.within : 'window' in rule.from && rule.from.window;
  if (span && rule.min_history_hours * HOUR_MS < windowMs(span)) return undefined;
  return 'is allowed only with a window, and must be shorter than the window';
}

/** A drop from a window is at most 100 %, and one of a price is less. */
function furtherFault(rule: Rule): string | undefined {
  if (rule.type !== 'change' || !('window' in rule.from)) return undefined;
  const { repeat_every_further_percent: step, drops_by } = rule;
  if (step === undefined || drops_by?.percent === undefined) return undefined;
  const furthest = isAboutCounts(rule) ? 100 : 99.99;
  return drops_by.percent + step > furthest
    ? 'puts the first further step where no drop can be: more than the whole value; use a smaller one'
    : undefined;
}

type Margin = { percent: number } | { amount: number };

/** A rearm level that no price, count or rate can have. */
function reachFault(rule: Rule, margin: Margin): string | undefined {
  switch (rule.type) {
    case 'level':
      return boundsFault(priceSide(rule), margin, ['price', centsOf, 'price']);
    case 'supply':
      return rule.becomes === undefined
        ? boundsFault(countSide(rule), margin, ['count', count, 'number of listings'])
        : undefined;
    case 'fill_rate':
      return boundsFault(rateSide(rule), margin, ['rate', rateOf, 'fill rate']);
    default:
      return undefined;
  }
}

function boundsFault<Level extends Quantity>(
  { direction, level }: Side<Level>,
  margin: Margin,
  [unit, toUnit, words]: [Unit, (amount: number) => Level, string],
): string | undefined {
  const step =
    'percent' in margin
      ? { bps: bpsOf(margin.percent), amount: null }
      : { bps: null, amount: toUnit(margin.amount) };
  return isWithinBounds(rearmFrom(level, direction, step), unit)
    ? undefined
    : `puts the rearm level where no ${words} can be; use a smaller one`;
}
