// The same rule with a little more or less asked, so that a preview can tell what another amount would
// have brought. A rule without one amount of its own has no neighbours.
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';

/** Of the asked amount. */
const shares = [0.8, 0.9, 1, 1.1, 1.2];

/** A rule, and the amount that tells it from the others: dollars, percent or a count. */
export interface NearbyRule {
  amount: number;
  rule: Rule;
}

/** The asked rule among its neighbours, the smallest amount first; none that could not be saved. */
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

/** The first of the names under which the part has a number. */
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
