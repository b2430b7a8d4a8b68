// The one amount of a rule that its owner would turn up or down, and the same rule with another amount.
import type { Rule } from '#shared/rules/language/rule.ts';
import { readRule } from '#shared/rules/language/validate.ts';

/** What the amount counts: a price in dollars, a change in percent or dollars, a share, or a count of listings. */
export type AmountKind = 'price' | 'change_percent' | 'change_dollars' | 'share' | 'count';

/** A rule's amount: dollars, percent or a count, as the rule's JSON has it. */
export interface RuleAmount {
  amount: number;
  kind: AmountKind;
  /** The rule with another amount; undefined if such a rule could not be saved. */
  withAmount: (amount: number) => Rule | undefined;
}

const sides = ['at_or_below', 'below', 'at_or_above', 'above'] as const;

/** @returns undefined for a rule without an amount, such as a new low by any amount. */
export function amountOf(rule: Rule): RuleAmount | undefined {
  switch (rule.type) {
    case 'level':
    case 'listing':
      return sideOf(rule, 'price');
    case 'supply':
      return sideOf(rule, 'count');
    case 'fill_rate':
      return sideOf(rule, 'share');
    case 'extreme':
      return fieldOf(rule, 'min_amount', 'change_dollars', (part) => part);
    case 'any_change':
      return (
        fieldOf(rule, 'min_percent', 'change_percent', (part) => part) ??
        fieldOf(rule, 'min_amount', 'change_dollars', (part) => part)
      );
    case 'change':
      return changeOf(rule);
  }
}

function changeOf(rule: Rule & { type: 'change' }): RuleAmount | undefined {
  const side = rule.drops_by ? 'drops_by' : 'rises_by';
  const change = rule[side] ?? {};
  const whole = (part: object) => ({ ...rule, [side]: part });
  return (
    fieldOf(change, 'percent', 'change_percent', whole) ??
    fieldOf(change, 'amount', 'change_dollars', whole)
  );
}

function sideOf(rule: Rule, kind: AmountKind): RuleAmount | undefined {
  for (const side of sides) {
    const found = fieldOf(rule, side, kind, (part) => part);
    if (found) return found;
  }
  return undefined;
}

function fieldOf(
  part: object,
  field: string,
  kind: AmountKind,
  whole: (part: object) => object,
): RuleAmount | undefined {
  const amount: unknown = Object.hasOwn(part, field) ? Reflect.get(part, field) : undefined;
  if (typeof amount !== 'number') return undefined;
  const withAmount = (other: number) => {
    const reading = readRule(whole({ ...part, [field]: other }));
    return reading.ok ? reading.rule : undefined;
  };
  return { amount, kind, withAmount };
}
