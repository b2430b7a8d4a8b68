/**
 * Checks between the fields of one rule. Each check runs even if other fields are faulty, so that all faults
 * are reported at once. Knows no events.
 */

import { HOUR_MS, isSpanName, windowMs } from '../window.ts';
import { countLeaves, MAX_CONDITION_LEAVES, type RuleCondition } from './rule-modifiers.ts';
import { always, atMostOne } from './rule-parts.ts';

type Fields = Record<string, unknown>;

/** The checks of every rule. */
export const commonChecks = [
  atMostOne(['rearm_percent', 'rearm_amount']),
  always(
    (rule) => leavesOf(rule) <= MAX_CONDITION_LEAVES,
    `must have at most ${MAX_CONDITION_LEAVES} conditions in all`,
  ),
] as const;

function leavesOf(rule: Fields): number {
  const lists = [rule.all_of, rule.any_of].filter(Array.isArray) as RuleCondition[][];
  return lists.reduce((sum, list) => sum + countLeaves(list), 0);
}

export const pairOnlyForGetIn = always(
  (rule) => rule.min_quantity !== 2 || rule.metric === 'get_in',
  'is allowed only with metric get_in',
  ['min_quantity'],
);

/** For listings an empty match is a value, so "no data" does not exist for a filter. */
export const dataOnlyFromStats = always(
  (rule) => (rule.on_no_data ?? 'keep') === 'keep' || !(rule.type === 'listing' || rule.matching),
  'is allowed only for rules on stats: for listings, no match is a value, not missing data',
  ['on_no_data'],
);

export const ownWaysToRepeat = always(
  (rule) => rule.repeat_every_further_percent === undefined || canRepeat(rule),
  'is allowed only for a percent change from watch_start or a window: other rules repeat by themselves',
  ['repeat_every_further_percent'],
);

function canRepeat(rule: Fields): boolean {
  const of = fieldOf(rule.from, 'of');
  if (of === 'previous_snapshot' || of === 'last_alert') return false;
  return of === 'watch_start' || fieldOf(changeOf(rule), 'percent') !== undefined;
}

/** A change from a high can shrink to 0 but not below, so the rearm level must be above 0. */
export const rearmsWithinChange = always(
  (rule) => {
    const { rearm_percent: margin, from } = rule;
    const percent = fieldOf(changeOf(rule), 'percent');
    if (typeof margin !== 'number' || typeof percent !== 'number') return true;
    return fieldOf(from, 'window') === undefined || margin < percent;
  },
  'must be less than the percent of the change, or it would never re-arm',
  ['rearm_percent'],
);

export const historyWithinWindow = always(
  ({ min_history_hours: hours, from, within }) => {
    const window = fieldOf(from, 'window') ?? within;
    if (typeof hours !== 'number') return true;
    return typeof window === 'string' && isSpanName(window) && hours * HOUR_MS < windowMs(window);
  },
  'is allowed only with a window, and must be shorter than the window',
  ['min_history_hours'],
);

export const wholeListings = always(
  (rule) => rule.metric !== 'total_listings_active' || amountsOf(rule).every(Number.isInteger),
  'must be a whole number of listings',
  ['metric'],
);

function amountsOf(rule: Fields): unknown[] {
  const change = changeOf(rule);
  const amounts = [fieldOf(change, 'amount'), fieldOf(change, 'min_amount'), rule.rearm_amount];
  return amounts.filter((amount) => typeof amount === 'number');
}

export const zonesHavePrices = always(
  (rule) => rule.metric !== 'total_listings_active' || rule.zone === undefined,
  'is allowed only with a price: zones have no counts',
  ['zone'],
);

export const asksSomething = always(
  (rule) => rule.at_or_above !== 0 && rule.at_or_below !== 100,
  'must exclude some value: every fill rate is from 0 to 100',
);

function changeOf(rule: Fields): unknown {
  return rule.drops_by ?? rule.rises_by;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}
