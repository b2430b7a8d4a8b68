/** Says a rule's modifiers in words; absent ones, and those that its kind refuses, are not mentioned. */

import type { Rule } from '../language/rule.ts';
import { readChange } from '../language/subject.ts';
import { formatCents } from '../money.ts';
import { centsOf } from '../units.ts';
import { countWords, percentWords } from './words.ts';

/** "confirmed by 2 snapshots in a row", "at most 3 alerts in 24 hours". */
export function modifierWords(rule: Rule): string[] {
  return [...reachWords(rule), ...speechWords(rule), ...noDataWords(rule)];
}

/** When the rule counts as reached. */
function reachWords(rule: Rule): string[] {
  const words: string[] = [];
  if ('min_history_hours' in rule && rule.min_history_hours !== undefined) {
    words.push(`once ${countWords(rule.min_history_hours, 'hour')} of history are known`);
  }
  if (rule.confirmations !== undefined && rule.confirmations > 1) {
    words.push(`confirmed by ${rule.confirmations} snapshots in a row`);
  }
  if (rule.within_days_of_event !== undefined) {
    words.push(`only within ${countWords(rule.within_days_of_event, 'day')} of the event`);
  }
  if (rule.expires_at !== undefined) words.push(`until ${rule.expires_at}`);
  if (rule.when_already_true === 'wait') words.push('not if already true when made');
  return words;
}

/** How often the rule fires. */
function speechWords(rule: Rule): string[] {
  const words: string[] = [];
  if ('repeat_every_further_percent' in rule && rule.repeat_every_further_percent !== undefined) {
    words.push(`again at every further ${percentWords(rule.repeat_every_further_percent)}`);
  }
  if (rule.rearm_percent !== undefined)
    words.push(`re-arms ${partWords(rule, rule.rearm_percent)}`);
  if (rule.rearm_amount !== undefined) {
    words.push(`re-arms ${distanceWords(rule, rule.rearm_amount)}`);
  }
  if (rule.cool_down_minutes !== undefined) {
    words.push(`at most once in ${countWords(rule.cool_down_minutes, 'minute')}`);
  }
  if (rule.at_most_per_day !== undefined) {
    words.push(`at most ${countWords(rule.at_most_per_day, 'alert')} in 24 hours`);
  }
  if (rule.tell_recovery) words.push('also when it went back after an alert');
  if (rule.urgent) words.push('urgent');
  return words;
}

/** "3% back", "2 points back", "when 50% of the change is undone". */
function partWords(rule: Rule, percent: number): string {
  if (rule.type === 'fill_rate') return `${percentWords(percent)} of its level back`;
  if (rule.type !== 'change' || !('window' in rule.from)) return `${percentWords(percent)} back`;
  return readChange(rule).by.percent === undefined
    ? `when ${percentWords(percent)} of the change is undone`
    : `${countWords(percent, 'point')} back`;
}

/** "$5 back", "5 listings back", "5 points back". */
function distanceWords(rule: Rule, amount: number): string {
  if (rule.type === 'fill_rate') return `${countWords(amount, 'point')} back`;
  const isCount =
    rule.type === 'supply' || ('metric' in rule && rule.metric === 'total_listings_active');
  const words = isCount ? countWords(amount, 'listing') : formatCents(centsOf(amount));
  const hasFee = 'fee_percent' in rule && rule.fee_percent !== undefined;
  return `${words} back${hasFee ? ' before the fee' : ''}`;
}

function noDataWords({ on_no_data }: Rule): string[] {
  if (on_no_data === 'alert') return ['also when there is no data'];
  return on_no_data === 'clear' ? ['re-arms when there is no data'] : [];
}
