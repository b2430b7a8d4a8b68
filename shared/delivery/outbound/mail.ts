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
 * The raw MIME of a mail. The Message-ID is derived from the delivery, so the reader's mail client shows a
 * mail once even if a crash sent it twice. The one-click unsubscribe headers (RFC 8058) have the channel's
 * stop address.
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
