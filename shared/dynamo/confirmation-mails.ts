// Counts confirmation mails per mailbox in the Watchlist table. The key has a digest of the mailbox, so that
// the table does not list the addresses that owners tried.
import { createHash } from 'node:crypto';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import {
  type ConfirmationDecision,
  decideConfirmation,
  mailboxOf,
} from '#shared/alerts/confirmation-mails.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { confirmationMailsSchema } from './schemas/confirmation-mails-schema.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Each failed try means that another mail was counted; after these tries the mailbox has to wait anyway. */
const mostTries = 3;

export function createConfirmationMailStore(table: WatchlistTable) {
  const mails = new Entity({
    name: 'confirmationMails',
    table,
    timestamps: false,
    schema: confirmationMailsSchema,
    computeKey: ({ mailbox }) => ({ pk: `MAILBOX#${mailbox}`, sk: 'CONFIRMATIONS' }),
  });

  // A damaged count restarts at zero: the mailbox may get one extra day's mails, but is not blocked forever.
  const reading = leniently(mails, {
    mailbox: fromKey('MAILBOX#'),
    ...{ sentAt: orElse([]), moves: orElse(0), expiresAtEpochSeconds: orElse(0) },
  });

  async function tryOnce(mailbox: string, now: number): Promise<ConfirmationDecision | undefined> {
    const action = mails.build(GetItemCommand).key({ mailbox }).options({ consistent: true });
    const none = { mailbox, sentAt: [], moves: 0, expiresAtEpochSeconds: 0 };
    const before = (await readOne(action, reading)) ?? none;
    const decision = decideConfirmation(before, now);
    if (decision.kind === 'wait') return decision;
    const { moves } = before;
    const isCounted = await writeIf(() =>
      mails
        .build(PutItemCommand)
        .item(decision.after)
        .options({
          condition: moves === 0 ? isNoNumber('moves') : { attr: 'moves', eq: moves },
        })
        .send(),
    );
    return isCounted ? decision : undefined;
  }

  return {
    /** Counts one more mail to an address if the limits allow it. A crash afterwards uses up that mail. */
    async take(address: string, now: number): Promise<ConfirmationDecision> {
      const mailbox = createHash('sha256').update(mailboxOf(address)).digest('hex');
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const decision = await tryOnce(mailbox, now);
        if (decision) return decision;
      }
      return { kind: 'wait', until: now + 1_000, reason: 'one_a_minute' };
    },
  };
}
