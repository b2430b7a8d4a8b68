// E-mail: the address, and a message as subject, text and HTML. mail.ts builds the MIME, with a library that
// only the sender loads.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { type AlertMessage, factsOf, type Message } from '../message/message.ts';
import { cutTo, singleLine } from '../message/plain-text.ts';
import type { ChannelKindRow } from './channel-kind.ts';
import { alertsPerMail } from './email-html.ts';
import { mailAddress } from './mail-address.ts';

const target = z.object({ kind: z.literal('email'), address: z.string() });

export const email = {
  kind: 'email',
  label: 'e-mail',
  sender: 'email',
  readBy: 'people',
  needsConfirmation: true,
  slotsOf: 'none',
  wanted: z
    .strictObject({ kind: z.literal('email'), address: mailAddress, ...newChannelSettings })
    .meta({ id: 'EmailChannelRequest' }),
  target,
  example: { address: 'ann@example.com' },
  newTarget: ({ address }) => ({ kind: 'email', address }),
} as const satisfies ChannelKindRow<z.infer<typeof target>, { address: string }>;

/** Mail clients show about 70 characters of a subject; more than 180 helps no reader. */
const subjectLimit = 180;

export function renderSubject({ headline }: Message): string {
  return cutTo(singleLine(headline), subjectLimit);
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
