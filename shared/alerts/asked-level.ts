// The level of a rule as its owner wrote it. Alerts show this level, not the compiled one.

import type { Rule } from '#shared/rules/language/rule.ts';
import { centsOf, rateOf } from '#shared/rules/units.ts';

/** In cents, listings or basis points, depending on the rule; null for a rule about a change. */
export function askedLevelOf(rule: Rule): number | null {
  switch (rule.type) {
    case 'level':
      return scaled(rule.at_or_below ?? rule.below ?? rule.at_or_above ?? rule.above, centsOf);
    case 'listing':
      return centsOf(rule.at_or_below);
    case 'supply':
      return rule.at_or_below ?? rule.at_or_above ?? null;
    case 'fill_rate':
      return scaled(rule.at_or_below ?? rule.at_or_above, rateOf);
    default:
      return null;
  }
}

function scaled(amount: number | undefined, scale: (amount: number) => number): number | null {
  return amount === undefined ? null : scale(amount);
}
