// A purchase that ended a watch as JSON and in words.
import * as z from 'zod';
import { formatCents } from '#shared/rules/money.ts';
import type { Bought } from '#shared/watchlist/watch.ts';

export const boughtSchema = z
  .object({
    at: z.iso.datetime().meta({ description: 'When you told it' }),
    alert: z.string().meta({ description: 'The id of the alert whose message had the link' }),
    price_paid: z
      .number()
      .nullable()
      .meta({ description: 'The price of one ticket, dollars; null if you did not tell it' }),
  })
  .nullable()
  .meta({
    id: 'Bought',
    description:
      'That you bought a ticket, as told by a link in a message: it ended the watch. null otherwise.',
  });

/** The purchase of a watch; null without one. */
export function boughtJson(bought: Bought | undefined): z.infer<typeof boughtSchema> {
  if (!bought) return null;
  const { at, alertId, paidCents } = bought;
  return {
    at: new Date(at).toISOString(),
    alert: alertId,
    price_paid: paidCents === undefined ? null : paidCents / 100,
  };
}

/** "bought for $95.50 a ticket"; "purchase undone". */
export function boughtWords(bought: Bought | undefined): string {
  if (!bought) return 'purchase undone';
  const { paidCents } = bought;
  return paidCents === undefined ? 'bought' : `bought for ${formatCents(paidCents)} a ticket`;
}
