// The amounts that a curve tries: spread over the values that the rule's number had, with the rule's own
// amount among them.
import { medianOf } from '#shared/rules/transform.ts';
import type { AmountKind, RuleAmount } from './rule-amount.ts';

/** The number of amounts in a curve. */
export const amountsTried = 40;

/** Dense where changes are common: to 10 by a half, to 20 by 1, to 38 by 2. */
const percents = Array.from({ length: amountsTried - 1 }, (_, index) => {
  if (index < 20) return (index + 1) / 2;
  return index < 30 ? index - 9 : 20 + (index - 29) * 2;
});

/** Decimals that a rule's amount has. */
const decimals: Record<AmountKind, number> = {
  ...{ price: 2, change_percent: 2, change_dollars: 2, share: 2, count: 0 },
};

/**
 * At most 40 amounts, smallest first, without duplicates.
 * @param values the rule's number at each snapshot, in the unit of its amount; for a change, the number that
 *   changes. None gives the rule's own amount alone.
 */
export function amountsToTry(own: RuleAmount, values: readonly number[]): number[] {
  const tried = values.length === 0 ? [] : spread(own.kind, values);
  const amounts = [...tried, own.amount].map((amount) => round(amount, own.kind));
  return [...new Set(amounts)].filter((amount) => amount > 0).sort((a, b) => a - b);
}

function spread(kind: AmountKind, values: readonly number[]): number[] {
  if (kind === 'change_percent') return percents;
  if (kind === 'change_dollars') return dollarChanges(values);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const step = (high - low) / (amountsTried - 2);
  return Array.from({ length: amountsTried - 1 }, (_, index) => low + step * index);
}

function dollarChanges(prices: readonly number[]): number[] {
  const cents = medianOf(prices.map((price) => price * 100)) ?? 0;
  return percents.map((percent) => (cents * percent) / 10_000);
}

function round(amount: number, kind: AmountKind): number {
  return Number(amount.toFixed(decimals[kind]));
}
