// Reads the price that a reader paid for a ticket, as people write it.
import { MAX_PRICE } from '#shared/rules/language/rule-limits.ts';
import { centsOf } from '#shared/rules/units.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { amountIn } from '../watches/written-amount.ts';

/** Integer cents, undefined for an empty field; or what is wrong. */
export type PaidPrice = { cents: number | undefined } | { fault: string };

/** "95", "$95.50", "1,200", "95,50". */
export function readPaidPrice(text: string): PaidPrice {
  if (text.trim() === '') return { cents: undefined };
  const dollars = amountIn(text);
  if (dollars === undefined) {
    return { fault: 'Write an amount in dollars such as 95 or 95.50, or leave the field empty.' };
  }
  if (dollars === 0) return { fault: 'Write an amount above 0, or leave the field empty.' };
  if (dollars > MAX_PRICE) {
    return { fault: `Write an amount of at most ${groupThousands(MAX_PRICE)} dollars.` };
  }
  return { cents: centsOf(dollars) };
}
