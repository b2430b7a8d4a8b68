// The confirmation mails of each mailbox in the Watchlist table. The mailbox is in the key as a digest:
// the list of addresses that owners tried is nobody's to read.
import { createHash } from 'node:crypto';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import {
  type ConfirmationDecision,
  decideConfirmation,
  mailboxOf,
} from '#shared/alerts/confirmation-mails.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { confirmationMailsSchema } from './schemas/confirmation-mails-schema.ts';
import { fromKey, leniently, orElse, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Each lost try has seen another mail counted, after which the mailbox has to wait. */
const mostTries = 3;

/** Counts confirmation mails. */
export function createConfirmationMailStore(table: WatchlistTable) {
  const mails = new Entity({
    name: 'confirmationMails',
    table,
    timestamps: false,
    schema: confirmationMailsSchema,
    computeKey: ({ mailbox }) => ({ pk: `MAILBOX#${mailbox}`, sk: 'CONFIRMATIONS' }),
  });

  // A damaged count starts anew: a mailbox gets one more day's mails, rather than never one again.
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
    /** Counts one more mail to an address where it may have one. A crash after it costs that mail. */
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

export type ConfirmationMailStore = ReturnType<typeof createConfirmationMailStore>;
