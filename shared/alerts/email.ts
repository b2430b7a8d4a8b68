// An alert as a mail: subject, text and HTML from one message. It does not send.
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { AlertMessage } from './message.ts';
import { cutTo, escapeHtml, singleLine } from './plain-text.ts';

/** Mail clients show about 70 characters; past 180 a subject is noise. */
const subjectLimit = 180;

export interface AlertMail {
  from: string;
  to: string;
  deliveryId: string;
  message: AlertMessage;
  /** When the alert was raised. */
  date: Date;
}

/**
 * The raw MIME of an alert's mail. The Message-ID follows from the delivery, so that a mail sent
 * twice after a crash is one mail to the reader's client.
 */
export async function renderAlertMail(mail: AlertMail): Promise<Buffer> {
  const lines = linesOf(mail.message);
  const composer = new MailComposer({
    from: mail.from,
    to: { name: '', address: mail.to },
    subject: cutTo(singleLine(mail.message.headline), subjectLimit),
    messageId: `<${mail.deliveryId}@getin>`,
    date: mail.date,
    text: renderText(mail.message, lines),
    html: renderHtml(mail.message, lines),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

type Line = readonly [label: string, text: string];

function linesOf(message: AlertMessage): Line[] {
  return [
    ['Event', singleLine(message.eventName)],
    ['Where', singleLine(message.scope)],
    ['Now', message.value],
    ...(message.previousValue ? [['Before', message.previousValue] as const] : []),
    ...(message.level ? [['Your level', message.level] as const] : []),
    ['Your rule', singleLine(message.sentence)],
    ['Seen', `${message.age} after the market showed it`],
  ];
}

function renderText(message: AlertMessage, lines: readonly Line[]): string {
  const facts = lines.map(([label, text]) => `${label}: ${text}`).join('\n');
  return `${singleLine(message.headline)}\n\n${facts}\n`;
}

function renderHtml(message: AlertMessage, lines: readonly Line[]): string {
  const rows = lines
    .map(
      ([label, text]) =>
        `<tr><td style="padding:4px 16px 4px 0;color:#6b7280;white-space:nowrap">${escapeHtml(label)}</td>` +
        `<td style="padding:4px 0">${escapeHtml(text)}</td></tr>`,
    )
    .join('');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    '<title>Getin</title></head>' +
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">' +
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(singleLine(message.headline))}</h1>` +
    `<table role="presentation" style="border-collapse:collapse;font-size:15px">${rows}</table>` +
    '</body></html>'
  );
}
