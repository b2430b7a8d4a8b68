/** One English sentence per rule, for the API's answers and the alerts. Decides nothing. */
import { METRICS } from './metric.ts';
import { centsOf, formatCents } from './money.ts';
import type { Rule } from './rule.ts';

/** "Get-in of Lower Bowl at or below $80.00". */
export function ruleSentence(rule: Rule): string {
  const zone = rule.zone === undefined ? '' : ` of ${rule.zone}`;
  const [side, price] =
    rule.at_or_below === undefined
      ? ['at or above', rule.at_or_above ?? 0]
      : ['at or below', rule.at_or_below];
  return `${METRICS[rule.metric].words}${zone} ${side} ${formatCents(centsOf(price))}`;
}
