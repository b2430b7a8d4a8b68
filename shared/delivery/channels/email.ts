// E-mail: the address, and a message as subject, text and HTML. mail.ts builds the MIME, with a library that
// only the sender loads.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { afterLead, scopeInDigest } from '../message/digest-line.ts';
import {
  type AlertMessage,
  eventGroups,
  factsOf,
  listedPrices,
  type Message,
  moreText,
  whenAndWhere,
} from '../message/message.ts';
import { cutTo, singleLine } from '../message/plain-text.ts';
import { sameAddress } from '../suppression.ts';
import type { ChannelKindRow } from './channel-kind.ts';
import { alertsPerMail } from './email-html.ts';
import { mailAddress } from './mail-address.ts';

const target = z.object({ kind: z.literal('email'), address: z.string() });

export const email = {
  kind: 'email',
  label: 'e-mail',
  sender: 'email',
  readBy: 'people',
  needsConfirmation: 'mail',
  slotsOf: 'none',
  wanted: z
    .strictObject({ kind: z.literal('email'), address: mailAddress, ...newChannelSettings })
    .meta({ id: 'EmailChannelRequest' }),
  changes: {},
  target,
  example: { address: 'ann@example.com' },
  guide: {
    label: 'E-mail',
    about: 'A mail with the price first, a picture and buttons.',
    steps: [
      'Enter the address. It gets one mail with a link.',
      'Its reader opens the link. Alerts begin then, with those of the last hours.',
    ],
    fields: [{ name: 'address', label: 'Address', form: 'email', example: 'ann@example.com' }],
  },
  newTarget: ({ address }) => ({ kind: 'email', address }),
  changedTarget: (target) => target,
  readerOf: ({ address }) => sameAddress(address),
} as const satisfies ChannelKindRow<z.infer<typeof target>, { address: string }>;

/** Mail clients show about 70 characters of a subject; more than 180 helps no reader. */
const subjectLimit = 180;

export function renderSubject({ headline }: Message): string {
  return cutTo(singleLine(headline), subjectLimit);
}

/** The text part: the same content, line by line. */
export function renderEmailText(message: Message): string {
  const { alerts, links, stopUrl } = message;
  const parts = [message.headline, ...message.paragraphs];
  const [only] = alerts;
  if (message.kind === 'alert' && only) parts.push(...alertText(only));
  if (message.kind === 'digest') parts.push(...digestText(message));
  if (links.length > 0) parts.push(links.map(({ label, url }) => `${label}: ${url}`).join('\n'));
  if (alerts.length > 0) parts.push(listedPrices);
  if (stopUrl !== undefined) parts.push(`Stop or snooze these mails: ${stopUrl}`);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function alertText(alert: AlertMessage): string[] {
  const { place, event, detail, sparkline, listings } = alert;
  const facts = factsOf(alert).map(([label, text]) => `${label}: ${text}`);
  return [
    `${place}\n${whenAndWhere(event)}`.trim(),
    [detail, sparkline].filter((line) => line !== '').join('\n'),
    [...listings.map((listing) => `- ${listing}`), ...facts].join('\n'),
  ];
}

function digestText({ alerts, moreUrl }: Message): string[] {
  const shown = alerts.slice(0, alertsPerMail);
  const left = alerts.length - shown.length;
  const groups = eventGroups(shown).map(({ event, alerts: ofEvent }) =>
    [event.name, whenAndWhere(event), ...ofEvent.map(digestLine)]
      .filter((line) => line !== '')
      .join('\n'),
  );
  if (left === 0) return groups;
  return [...groups, moreUrl === undefined ? moreText(left) : `${moreText(left)}: ${moreUrl}`];
}

function digestLine(alert: AlertMessage): string {
  const { lead, moves, doubt, observed, pageUrl, listings, sparkline } = alert;
  const scope = scopeInDigest(alert);
  const where = scope === undefined ? '' : ` · ${scope}`;
  const lines = [
    afterLead(alert),
    listings[0],
    moves?.text,
    doubt,
    sparkline,
    `Seen: ${observed}`,
    pageUrl,
  ].filter((line) => line !== undefined && line !== '');
  return [`- ${lead}${where}`, ...lines.map((line) => `  ${line}`)].join('\n');
}
