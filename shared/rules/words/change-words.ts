/** Says changes and their baselines in words. */

import type { RuleBaseline, RuleChange } from '../language/rule-parts.ts';
import { readChange } from '../language/subject.ts';
import { formatCents } from '../money.ts';
import { centsOf } from '../units.ts';
import { windowWords } from '../window.ts';
import { percentWords } from './words.ts';

interface ChangeFields {
  metric?: string;
  drops_by?: RuleChange | undefined;
  rises_by?: RuleChange | undefined;
}

/** "drops by 15% and at least $5". */
export function changeWords(rule: ChangeFields): string {
  const { way, by } = readChange(rule);
  const amountWords = (amount: number) =>
    rule.metric === 'total_listings_active' ? String(amount) : formatCents(centsOf(amount));
  if (by.percent === undefined) return `${way}s by ${amountWords(by.amount ?? 0)}`;
  const least = by.min_amount === undefined ? '' : ` and at least ${amountWords(by.min_amount)}`;
  return `${way}s by ${percentWords(by.percent)}${least}`;
}

/** "from the high of the last 24 hours". */
export function fromWords(from: RuleBaseline): string {
  switch (from.of) {
    case 'previous_snapshot':
      return 'from the snapshot before';
    case 'last_alert':
      return 'from the last alert';
    case 'watch_start':
      return 'from the start of the watch';
    default:
      return `from the ${from.of} of the last ${windowWords(from.window)}`;
  }
}
