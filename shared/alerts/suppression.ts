// Addresses that no mail goes to any more, whoever asks: they bounced, or their reader complained.
import { boolean, type FormattedValue, item, number, set, string } from 'dynamodb-toolbox/schema';

/**
 * `address` in lower case. `softBounces` are the ids of the bounces that may have been for a passing
 * reason; `isSuppressed` says whether mail still goes there.
 */
export const suppressionSchema = item({
  address: string().key(),
  isSuppressed: boolean(),
  reason: string().optional(),
  softBounces: set(string()).optional(),
  updatedAt: number(),
});

export type Suppression = FormattedValue<typeof suppressionSchema>;

/** Full mailboxes empty again; one that refused this many mails does not. */
export const softBouncesToSuppress = 5;

/** How an address is compared: whole, in lower case. */
export function sameAddress(address: string): string {
  return address.trim().toLowerCase();
}
