/**
 * Lifts the block of an address: in our own suppression list, and in the account's list of SES,
 * which would drop the next mail. Safe to repeat.
 */
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import { type Suppression, sameAddress, suppressionWords } from '#shared/delivery/suppression.ts';
import type { SuppressionStore } from '#shared/dynamo/suppressions.ts';

interface LiftOptions {
  suppressions: Pick<SuppressionStore, 'find' | 'lift'>;
  ses: Pick<SESv2Client, 'send'>;
  /** Only reports the blocks and changes nothing. */
  isLookOnly: boolean;
  now: number;
}

/** @returns a sentence per list: its blocks, or what was lifted */
export async function liftSuppression(given: string, options: LiftOptions): Promise<string[]> {
  const { suppressions } = options;
  // SES compares the local part exactly, so look up both spellings in its list.
  const spellings = [...new Set([given.trim(), sameAddress(given)])];
  const found = await suppressions.find(given);
  const ours = found?.isSuppressed
    ? await liftOurs(found, options)
    : 'Our list does not block the address.';
  const theirs = await Promise.all(spellings.map((spelling) => liftOfSes(spelling, options)));
  const isListed = theirs.some((said) => said !== undefined);
  return [ours, ...theirs.flatMap((said) => said ?? []), ...(isListed ? [] : [notListed])];
}

const notListed = 'SES’s account list does not have the address.';

async function liftOurs(
  found: Suppression,
  { suppressions, isLookOnly, now }: LiftOptions,
): Promise<string> {
  const why = suppressionWords(found);
  if (isLookOnly) return `Our list blocks it, because ${why}.`;
  if (await suppressions.lift(found, now))
    return `Lifted in our list (it was blocked because ${why}).`;
  return 'Our list was changed at the same moment; run this again.';
}

async function liftOfSes(
  EmailAddress: string,
  { ses, isLookOnly }: LiftOptions,
): Promise<string | undefined> {
  try {
    if (isLookOnly) {
      const answer = await ses.send(new GetSuppressedDestinationCommand({ EmailAddress }));
      const reason = answer.SuppressedDestination?.Reason ?? 'an unknown reason';
      return `SES’s account list has ${EmailAddress} (${reason}).`;
    }
    await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress }));
    return `Removed ${EmailAddress} from SES’s account list.`;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
