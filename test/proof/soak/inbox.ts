/**
 * Takes all mail out of the SES emulator in this process. Over HTTP a mail could arrive between reading
 * the inbox and clearing it; here both happen in one turn.
 */
import { createRequire } from 'node:module';
import type { ReceivedMail } from './cloud-messages.ts';

interface MailStore {
  getStoreReadonly(): { emails: { destination: { to: string[] }; subject: string }[] };
  clearStore(): void;
}

// The emulator keeps its mail in a module that its main module does not export.
const { getStoreReadonly, clearStore }: MailStore = createRequire(import.meta.url)(
  'aws-ses-v2-local/dist/store.js',
);

export function takeMails(): ReceivedMail[] {
  const mails = getStoreReadonly().emails.map(({ destination, subject }) => ({
    to: destination.to,
    subject,
  }));
  clearStore();
  return mails;
}
