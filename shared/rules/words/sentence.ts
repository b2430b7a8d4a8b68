/**
 * One English sentence per rule, for the API and for alerts. Decides nothing. Each renderer must escape the
 * text, because zone names come from the feed.
 */

import { withoutRefused } from '../language/modifier-faults.ts';
import type { AnyChangeRule, LevelRule, Rule, SupplyRule } from '../language/rule.ts';
import { formatCents } from '../money.ts';
import { centsOf } from '../units.ts';
import { windowWords } from '../window.ts';
import { changeWords, fromWords } from './change-words.ts';
import { conditionWords, filterWords, subjectWords } from './condition-words.ts';
import { modifierWords } from './modifier-words.ts';
import { capitalize, listWords, percentWords, sideWords } from './words.ts';

/** "Get-in of Lower Bowl at or below $80". */
export function ruleSentence(stored: Rule): string {
  const rule = withoutRefused(stored);
  const asked = [capitalize(askedWords(rule)), ...conditionWordsOf(rule)].join(', ');
  return [asked, ...modifierWords(rule)].join('; ');
}

function conditionWordsOf({ all_of = [], any_of = [] }: Rule): string[] {
  const all = all_of.map(conditionWords);
  const any = any_of.length > 0 ? [`any of (${any_of.map(conditionWords).join('; ')})`] : [];
  const both = [...all, ...any];
  return both.length === 0 ? [] : [`while ${listWords(both)}`];
}

function askedWords(rule: Rule): string {
  switch (rule.type) {
    case 'level':
      return `${subjectWords(rule)} ${levelWords(rule)}${feeWords(rule.fee_percent)}`;
    case 'change':
      return `${subjectWords(rule)} ${changeWords(rule)} ${fromWords(rule.from)}`;
    case 'any_change':
      return `${subjectWords(rule)} changes ${anyChangeWords(rule)}, up or down`;
    case 'extreme':
      return `${subjectWords(rule)} at a new ${rule.new} ${
        rule.within === 'ever' ? 'ever' : `within ${windowWords(rule.within)}`
      }${rule.min_amount === undefined ? '' : ` by ${dollars(rule.min_amount)} or more`}`;
    case 'supply':
      return supplyWords(rule);
    case 'fill_rate':
      return `fill rate ${sideWords(rule, percentWords)}`;
    case 'listing':
      return `a new cheapest listing${filterWords(rule)} at or below ${dollars(
        rule.at_or_below,
      )}${feeWords(rule.fee_percent)}`;
  }
}

function levelWords(rule: LevelRule): string {
  if (rule.below !== undefined) return `below ${dollars(rule.below)}`;
  if (rule.above !== undefined) return `above ${dollars(rule.above)}`;
  return sideWords(rule, dollars);
}

function anyChangeWords({ min_percent, min_amount }: AnyChangeRule): string {
  if (min_percent !== undefined) return `by ${percentWords(min_percent)} or more`;
  return min_amount === undefined ? 'at all' : `by ${dollars(min_amount)} or more`;
}

function supplyWords(rule: SupplyRule): string {
  const place = rule.zone === undefined ? filterWords(rule.matching ?? {}) : ` in ${rule.zone}`;
  if (rule.becomes === 'available') return `the first listing${place} appears`;
  if (rule.becomes === 'sold_out') return `the last listing${place} is gone`;
  return `active listings${place} ${sideWords(rule, String)}`;
}

function feeWords(percent: number | undefined): string {
  return percent === undefined ? '' : ` with a fee of ${percentWords(percent)} added`;
}

function dollars(amount: number): string {
  return formatCents(centsOf(amount));
}
