// A message as a Discord embed with rows of buttons. Names from the market are escaped.
import { partsAfterLead } from '../message/digest-line.ts';
import {
  type AlertMessage,
  eventGroups,
  factsOf,
  listedPrices,
  type Message,
  moreText,
  whenAndWhere,
} from '../message/message.ts';
import { fitInto, linesThatFit } from '../message/plain-text.ts';

/** channels.md, Discord webhook: hard limits, and our budget for everything together (5,800). */
const titleLimit = 256;
const descriptionLimit = 4_096;
const fieldNameLimit = 256;
const fieldValueLimit = 1_024;
const fieldsLimit = 25;
const totalBudget = 5_800;
const digestLineLimit = 300;
/** Nine such lines stay under the limit of a description. */
const lineLimit = 450;
/** A row has five buttons; their labels have 80 characters. */
const buttonsPerRow = 5;
const labelLimit = 80;

const colours = { down: 0x0a7a4b, up: 0xb04a00, flat: 0x5d6575 } as const;

interface Field {
  name: string;
  value: string;
  inline: boolean;
}

/** The JSON body of one message. */
export function renderDiscord(message: Message): string {
  const [only] = message.alerts;
  const alert = message.kind === 'alert' ? only : undefined;
  const title = titleOf(message, alert);
  const description = descriptionOf(message, alert);
  const room = totalBudget - title.length - description.length - listedPrices.length;
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        ...(alert?.pageUrl !== undefined && { url: alert.pageUrl }),
        color: colours[(isOpen(alert) && alert.way) || 'flat'],
        description,
        fields: alert ? fieldsOf(alert, room) : [],
        ...(alert?.chart && { image: { url: alert.chart.url } }),
        ...(message.alerts.length > 0 && { footer: { text: listedPrices } }),
      },
    ],
    components: buttonRows(message),
  });
}

/** Whether an alert still holds, as far as the message knows. */
function isOpen(alert: AlertMessage | undefined): alert is AlertMessage {
  return alert !== undefined && !alert.isRecovery && alert.episode?.isOver !== true;
}

/** The title is struck through when what it tells is over. */
function titleOf(message: Message, alert: AlertMessage | undefined): string {
  if (!alert) return escaped(message.headline, titleLimit);
  const title = `${alert.lead}: ${alert.place}`;
  if (alert.episode?.isOver !== true) return escaped(title, titleLimit);
  return `~~${escaped(title, titleLimit - 4)}~~`;
}

function buttonRows({ links, stopUrl }: Message): object[] {
  const all = [
    ...links.map(({ label, url }) => ({ label, url })),
    ...(stopUrl === undefined ? [] : [{ label: 'Stop or snooze', url: stopUrl }]),
  ];
  const buttons = all.map(({ label, url }) => {
    return { type: 2, style: 5, label: fitInto(label, { limit: labelLimit }), url };
  });
  const rows = Math.ceil(buttons.length / buttonsPerRow);
  return Array.from({ length: rows }, (_, row) => ({
    type: 1,
    components: buttons.slice(row * buttonsPerRow, (row + 1) * buttonsPerRow),
  }));
}

function descriptionOf(message: Message, alert: AlertMessage | undefined): string {
  const intro = paragraphLines(message);
  if (alert) {
    const lines = [
      alert.episode?.line ?? '',
      alert.detail,
      whenAndWhere(alert.event),
      ...alert.listings.slice(0, mostListings),
    ];
    const told = lines.filter((line) => line !== '').map((line) => escaped(line, lineLimit));
    return [...told, alert.sparkline, ...intro].filter((line) => line !== '').join('\n');
  }
  const above = intro.join('\n');
  if (message.kind !== 'digest') return above;
  const room = Math.min(descriptionLimit, totalBudget - titleLimit) - above.length - 100;
  return [above, digestText(message, room)].filter((part) => part !== '').join('\n');
}

/** The sentences of a notice can be many: a recap tells of each rule. */
function paragraphLines({ paragraphs }: Message): string[] {
  const lines = paragraphs.map((line) => escaped(line, lineLimit));
  const more = moreText(lines.length);
  const shown = linesThatFit(lines, descriptionLimit - more.length, sizeOf);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, moreText(left)];
}

/** How many of the cheapest listings are shown. */
const mostListings = 5;

const sizeOf = (lines: readonly string[]) => `${lines.join('\n')}\n`.length;

function digestText({ alerts, moreUrl }: Message, limit: number): string {
  const lines: string[] = [];
  const more = moreUrl === undefined ? '' : `](${moreUrl})`;
  let room = limit - `[${moreText(alerts.length)}`.length - more.length;
  let told = 0;
  for (const { event, alerts: ofEvent } of eventGroups(alerts)) {
    const when = whenAndWhere(event);
    const name = `**${escaped(event.name, digestLineLimit)}**`;
    const heading = when === '' ? name : `${name}\n${escaped(when, digestLineLimit)}`;
    const shown = ofEvent.map(digestLine);
    const fits = linesThatFit(shown, room - heading.length - 1, sizeOf);
    if (fits.length === 0) break;
    lines.push(heading, ...fits);
    room -= sizeOf([heading, ...fits]);
    told += fits.length;
    if (fits.length < shown.length) break;
  }
  const left = alerts.length - told;
  if (left === 0) return lines.join('\n');
  return [...lines, more === '' ? moreText(left) : `[${moreText(left)}${more}`].join('\n');
}

/** The lead holds no name from the market, so it may be the text of a link. */
function digestLine(alert: AlertMessage): string {
  const { lead, moves, pageUrl } = alert;
  const shown = escapeDiscord(lead);
  const linked = pageUrl === undefined ? `**${shown}**` : `[**${shown}**](${pageUrl})`;
  const rest = partsAfterLead(alert).join(' · ');
  return `• ${linked} ${escaped(rest, digestLineLimit)}${moves ? `\n  ${moves.text}` : ''}`;
}

function fieldsOf(alert: AlertMessage, budget: number): Field[] {
  const fields: Field[] = [];
  let room = budget;
  for (const [name, value] of factsOf(alert).slice(0, fieldsLimit)) {
    const field = {
      name: escaped(name, fieldNameLimit),
      value: escaped(value, fieldValueLimit),
      inline: false,
    };
    room -= field.name.length + field.value.length;
    if (room < 0) break;
    fields.push(field);
  }
  return fields;
}

function escaped(text: string, limit: number): string {
  // A number and a point at the start of a line begin a list.
  return fitInto(text, { limit: limit - 1, escape: escapeDiscord }).replace(/^\d+(?=\. )/, '$&\\');
}

/**
 * A backslash before each character that starts markup, a list, a mention, an emoji code, a masked link or
 * (the slash) an address.
 */
function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>[\]#@/:+-]/g, '\\$&');
}
