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
  /** When the content of the mail was created. */
  date: Date;
}

/**
 * The raw MIME of a mail. Two mails of one delivery (a crash after the first) have the same X-Getin-Delivery;
 * SES replaces the Message-ID and the date with its own. The one-click unsubscribe headers (RFC 8058) have the channel's
 * stop address.
 */
export async function renderMail(mail: AlertMail): Promise<Buffer> {
  const { message } = mail;
  const domain = mail.from.split('@').at(-1)?.replace(/>$/, '') ?? '';
  const composer = new MailComposer({
    from: senderOf(mail.from),
    to: { name: '', address: mail.to },
    subject: renderSubject(message),
    messageId: `<${mail.deliveryId}@${domain}>`,
    date: mail.date,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Getin-Delivery': mail.deliveryId,
      ...unsubscribeHeaders(message.stopUrl),
    },
    newline: 'windows',
    text: renderEmailText(message),
    html: renderEmailHtml(message),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Inboxes show a name; without one they show the part before the @. */
function senderOf(from: string) {
  return from.includes('<') ? from : { name: 'Getin', address: from };
}

/** Unfolded: a fold right after the colon broke the DKIM check of a large receiver (nodemailer #1654). */
function unsubscribeHeaders(stopUrl: string | undefined) {
  if (stopUrl === undefined) return {};
  return {
    'List-Unsubscribe': { prepared: true, value: `<${stopUrl}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
