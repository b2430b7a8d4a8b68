// A rule on the page in words, as its slots say it.
import { dollars } from '../../words/amounts.ts';
import { isSet, modifiers } from './modifiers.ts';
import {
  type ConditionJson,
  levelIn,
  type RuleDraft,
  type RuleJson,
  sideOf,
} from './rule-draft.ts';
import { conditionKinds, ruleKinds } from './rule-kinds.ts';
import { type SentencePart, textOf } from './sentence-parts.ts';

/** As the API's default has it. */
const usualRearmPercent = 3;

/** The slots of what a rule asks for. */
export function askedParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  return ruleKinds[draft.type as RuleJson['type']].parts(draft, zones);
}

/** The slots of a condition; a group is only told. */
export function conditionParts(condition: ConditionJson, zones: readonly string[]): SentencePart[] {
  if ('conditions' in condition) {
    const inner = condition.conditions.map((each) => textOf(conditionParts(each, zones)));
    return [`${condition.type === 'all_of' ? 'all' : 'any'} of these: ${inner.join('; ')}`];
  }
  return conditionKinds[condition.type].parts(condition as RuleDraft, zones);
}

/** `get-in of any seat is at or below $120, at most 3 alerts in 24 hours`. */
export function draftWords(draft: RuleDraft, zones: readonly string[]): string {
  const conditions = [...(draft.all_of ?? []), ...(draft.any_of ?? [])];
  return [
    textOf(askedParts(draft, zones)),
    ...conditions.map((each) => `while ${textOf(conditionParts(each, zones))}`),
    ...modifiers.filter((row) => isSet(row, draft)).map((row) => textOf(row.parts(draft))),
  ].join(', ');
}

/** When a level is told again: `again only after it went back above $123.60`; empty where the rule says it itself. */
export function rearmWords(draft: RuleDraft): string {
  const level = levelIn(draft);
  const isSaid = draft.rearm_percent !== undefined || draft.rearm_amount !== undefined;
  if (draft.type !== 'level' || level === undefined || isSaid) return '';
  const isBelow = sideOf(draft).endsWith('below');
  const share = usualRearmPercent / 100;
  const back = Math.round(level * (isBelow ? 1 + share : 1 - share) * 100) / 100;
  return `again only after it went back ${isBelow ? 'above' : 'below'} ${dollars(back)}`;
}
