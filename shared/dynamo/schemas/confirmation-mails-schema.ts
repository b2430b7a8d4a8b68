// How the count of a mailbox's confirmation mails is stored.
import { item, list, number, string } from 'dynamodb-toolbox/schema';
import type { ConfirmationMails } from '#shared/alerts/confirmation-mails.ts';
import { storedAs } from './stored-as.ts';

export const confirmationMailsSchema = storedAs<ConfirmationMails>()(
  item({
    mailbox: string().key(),
    sentAt: list(number()),
    moves: number(),
    expiresAtEpochSeconds: number(),
  }),
);
