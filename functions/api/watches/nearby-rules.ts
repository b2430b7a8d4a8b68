// The same rule with slightly smaller and larger amounts, so that a preview can show their
// results. A rule without exactly one amount has no such neighbours.
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';

/** As fractions of the rule's amount. */
const shares = [0.8, 0.9, 1, 1.1, 1.2];

/** A rule and its amount: dollars, percent or a count. */
export interface NearbyRule {
  amount: number;
  rule: Rule;
}

/** The rule and its neighbours, smallest amount first, without neighbours that could not be saved. */
export function nearbyRules(rule: Rule): NearbyRule[] {
  const place = amountPlace(rule);
  if (!place) return [];
  const digits = rule.type === 'supply' ? 0 : 2;
  const amounts = shares.map((share) => Number((place.amount * share).toFixed(digits)));
  return [...new Set(amounts)].flatMap((amount) => {
    const { success, data } = ruleSchema.safeParse(place.put(amount));
    return success ? [{ amount, rule: data }] : [];
  });
}

interface AmountPlace {
  amount: number;
  /** The rule with another amount. */
  put: (amount: number) => unknown;
}

const sides = ['at_or_below', 'below', 'at_or_above', 'above'];

function amountPlace(rule: Rule): AmountPlace | undefined {
  if (rule.type !== 'change') return numberIn(rule, sides, (changed) => changed);
  for (const move of ['drops_by', 'rises_by'] as const) {
    const { [move]: by } = rule;
    if (by) return numberIn(by, ['percent', 'amount'], (changed) => ({ ...rule, [move]: changed }));
  }
  return undefined;
}

/** The first of these fields that holds a number. */
function numberIn(
  part: object,
  names: readonly string[],
  whole: (changed: object) => object,
): AmountPlace | undefined {
  const found = Object.entries(part).find(
    ([name, value]) => names.includes(name) && typeof value === 'number',
  );
  if (!found) return undefined;
  const [name, amount] = found as [string, number];
  return { amount, put: (other) => whole({ ...part, [name]: other }) };
}
