// Counts mails caused by owners before they are sent: confirmation mails by mailbox and by owner,
// test messages by owner.
import { confirmationEveryMs, confirmationsPerDay } from '#shared/alerts/confirmation-mails.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { takeOwnerPlace } from '../conventions/owner-limit.ts';
import { problem } from '../problem.ts';

interface MailLimitDeps {
  stores: Pick<Stores, 'confirmationMails' | 'tallies'>;
}

const dayMs = 86_400_000;
/** As many as an owner may have channels, so that all of them can be confirmed in one day. */
const confirmationsOfOwner = {
  name: 'confirmations',
  what: 'confirmation mails',
  most: 50,
  windowMs: dayMs,
};
const testsOfOwner = { name: 'tests', what: 'test messages', most: 20, windowMs: 60_000 };

/** Counts each mail before it is sent. */
export function createMailLimits({ stores }: MailLimitDeps) {
  return {
    /**
     * Counts a confirmation mail to an address.
     * @throws ProblemError 429 when the owner has sent too many today, or the mailbox got one within the
     * last minute or too many within a day, whichever owner or channel they were for.
     */
    async takeConfirmation(ownerId: string, address: string, now: number): Promise<void> {
      await takeOwnerPlace(stores.tallies, confirmationsOfOwner, ownerId, now);
      const decision = await stores.confirmationMails.take(address, now);
      if (decision.kind === 'send') return;
      const seconds = Math.ceil((decision.until - now) / 1_000);
      const rule =
        decision.reason === 'one_a_minute'
          ? `one confirmation mail in ${confirmationEveryMs / 1_000} s`
          : `${confirmationsPerDay} confirmation mails in 24 hours`;
      throw problem(
        'rate-limited',
        `An address gets at most ${rule}, counted over all channels with this address; try again in ${seconds} s`,
        { headers: { 'retry-after': String(seconds) } },
      );
    },

    /** Counts a test message. @throws ProblemError 429 after too many in a minute. */
    takeTest: (ownerId: string, now: number) =>
      takeOwnerPlace(stores.tallies, testsOfOwner, ownerId, now),
  };
}

export type MailLimits = ReturnType<typeof createMailLimits>;
