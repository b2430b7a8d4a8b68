/** Says metrics, filters and conditions in words. */

import type { ListingFilter } from '../language/listing-filter.ts';
import type { LeafCondition, RuleCondition } from '../language/rule-modifiers.ts';
import { METRICS, type MetricName } from '../metric.ts';
import { formatCents } from '../money.ts';
import { centsOf } from '../units.ts';
import { changeWords, fromWords } from './change-words.ts';
import { listWords, percentWords, sideWords } from './words.ts';

interface Subject {
  metric: MetricName;
  zone?: string | undefined;
  min_quantity?: number | undefined;
}

/** "get-in of Lower Bowl", "get-in for two or more together". */
export function subjectWords({ metric, zone, min_quantity }: Subject): string {
  const isPair = metric === 'get_in' && min_quantity === 2;
  const { words } = METRICS[isPair ? 'get_in_qty2plus' : metric];
  return zone === undefined ? words : `${words} of ${zone}`;
}

/** " in Lower Bowl, section 101-105, row A-K, 2 or more together"; empty for any listing. */
export function filterWords({ zones, sections, rows, min_quantity = 1 }: ListingFilter): string {
  const parts = [
    zones && listWords(zones),
    sections && `section ${sections.join(', ')}`,
    rows && `row ${rows.join(', ')}`,
  ].filter((part) => part !== undefined);
  const place = parts.length === 0 ? '' : ` in ${parts.join(', ')}`;
  return min_quantity > 1 ? `${place}, ${min_quantity} or more together,` : place;
}

export function conditionWords(condition: RuleCondition): string {
  if (!('conditions' in condition)) return leafWords(condition);
  const joined = condition.conditions.map(conditionWords).join('; ');
  return `${condition.type === 'all_of' ? 'all of' : 'any of'} (${joined})`;
}

function leafWords(leaf: LeafCondition): string {
  switch (leaf.type) {
    case 'level':
      return `${subjectWords(leaf)} ${sideWords(leaf, (price) => formatCents(centsOf(price)))}`;
    case 'supply':
      return `${subjectWords(leaf)} ${sideWords(leaf, String)}`;
    case 'fill_rate':
      return `fill rate ${sideWords(leaf, percentWords)}`;
    case 'change':
      return `${subjectWords(leaf)} ${changeWords(leaf)} ${fromWords(leaf.from)}`;
    case 'listings':
      return `at least ${leaf.at_least} listings match${filterWords(leaf)}`;
  }
}
