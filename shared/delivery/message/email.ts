// A message as a mail: subject, text and HTML from one content. It does not send.
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { alertsPerMail, renderEmailHtml } from './email-html.ts';
import { type AlertMessage, factsOf, type Message } from './message.ts';
import { cutTo, singleLine } from './plain-text.ts';

/** Mail clients show about 70 characters; past 180 a subject is noise. */
const subjectLimit = 180;

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
    subject: cutTo(singleLine(message.headline), subjectLimit),
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

/** The text part: the same content, line by line. */
export function renderEmailText(message: Message): string {
  const { alerts, action, stopUrl } = message;
  const parts = [message.headline, ...message.paragraphs];
  const [only] = alerts;
  if (message.kind === 'alert' && only) parts.push(alertText(only));
  if (message.kind === 'digest') parts.push(...digestText(alerts));
  if (action) parts.push(`${action.label}: ${action.url}`);
  if (stopUrl !== undefined) parts.push(`Stop or snooze these mails: ${stopUrl}`);
  return `${parts.join('\n\n')}\n`;
}

function alertText(alert: AlertMessage): string {
  const facts = factsOf(alert).map(([label, text]) => `${label}: ${text}`);
  return [...facts, ...alert.listings.map((listing) => `- ${listing}`)].join('\n');
}

function digestText(alerts: readonly AlertMessage[]): string[] {
  const shown = alerts.slice(0, alertsPerMail).map(({ headline, observed, moves, watchUrl }) => {
    const link = watchUrl === undefined ? '' : `\n  ${watchUrl}`;
    const moved = moves === undefined ? '' : `\n  ${moves.text}`;
    return `- ${headline}${moved}\n  Seen: ${observed}${link}`;
  });
  const left = alerts.length - shown.length;
  return left > 0 ? [...shown, `and ${left} more`] : shown;
}
