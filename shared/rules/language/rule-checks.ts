/**
 * Checks between the fields of one rule. Each check runs even if other fields are faulty, so that all faults
 * are reported at once. Knows no events, and no modifiers that a kind refuses (modifier-faults.ts).
 */

import { MAX_CONDITION_LEAVES } from './rule-limits.ts';
import { countLeaves, type RuleCondition } from './rule-modifiers.ts';
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

export const wholeListings = always(
  (rule) => rule.metric !== 'total_listings_active' || amountsOf(rule).every(Number.isInteger),
  'must be a whole number of listings',
  ['metric'],
);

function amountsOf(rule: Fields): unknown[] {
  const change = changeOf(rule);
  const amounts = [fieldOf(change, 'amount'), fieldOf(change, 'min_amount')];
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
