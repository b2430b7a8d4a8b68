// The raw MIME of a mail, from its subject, text and HTML. It does not send.
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { renderEmailText, renderSubject } from '../channels/email.ts';
import { renderEmailHtml } from '../channels/email-html.ts';
import type { Message } from '../message/message.ts';

export interface AlertMail {
  /** The sender's address, verified with SES. */
  from: string;
  to: string;
  deliveryId: string;
  message: Message;
  /** When what the mail tells of was raised. */
  date: Date;
}

/**
 * The raw MIME of a mail. The Message-ID follows from the delivery, so that a mail sent twice after a
 * crash is one mail to the reader's client. The one-click unsubscribe headers (RFC 8058) carry the
 * channel's stop address.
 */
export async function renderMail(mail: AlertMail): Promise<Buffer> {
  const { message } = mail;
  const domain = mail.from.split('@').at(-1)?.replace(/>$/, '') ?? '';
  const composer = new MailComposer({
    from: mail.from,
    to: { name: '', address: mail.to },
    subject: renderSubject(message),
    messageId: `<${mail.deliveryId}@${domain}>`,
    date: mail.date,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(message.stopUrl) },
    text: renderEmailText(message),
    html: renderEmailHtml(message),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function unsubscribeHeaders(stopUrl: string | undefined): Record<string, string> {
  if (stopUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
