// A message as a Discord embed. Names from the market are escaped, and nobody is ever mentioned. It
// does not send.
import { type AlertMessage, factsOf, type Message } from './message.ts';
import { fitInto } from './plain-text.ts';

/** channels.md, Discord webhook: hard limits, and our budget for everything together (5,800). */
const titleLimit = 256;
const descriptionLimit = 4_096;
const fieldNameLimit = 256;
const fieldValueLimit = 1_024;
const fieldsLimit = 25;
const totalBudget = 5_800;
const digestLineLimit = 300;

interface Field {
  name: string;
  value: string;
  inline: boolean;
}

/** The JSON body of one message. */
export function renderDiscord(message: Message): string {
  const title = escaped(message.headline, titleLimit);
  const links = linksOf(message);
  const description = descriptionOf(message, links);
  const [only] = message.alerts;
  const fields =
    message.kind === 'alert' && only
      ? fieldsOf(only, totalBudget - title.length - description.length)
      : [];
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        ...(message.action && { url: message.action.url }),
        description,
        fields,
      },
    ],
  });
}

/** The address to post to: with `wait` the answer says whether the message was made. */
export function discordUrl(webhookUrl: string): string {
  const url = new URL(webhookUrl);
  url.searchParams.set('wait', 'true');
  return url.href;
}

function linksOf({ action, stopUrl }: Message): string {
  const links = [
    ...(action ? [`[${action.label}](${action.url})`] : []),
    ...(stopUrl === undefined ? [] : [`[Stop or snooze](${stopUrl})`]),
  ];
  return links.join(' · ');
}

function descriptionOf(message: Message, links: string): string {
  // A title is cut at 256 characters, so an alert's headline stands in full here.
  const isCut = message.kind === 'alert' && message.headline.length > titleLimit;
  const lines = [...(isCut ? [message.headline] : []), ...message.paragraphs];
  const room = descriptionLimit - links.length - 2;
  const intro = lines.map((line) => escaped(line, 1_000)).join('\n');
  const body = message.kind === 'digest' ? digestText(message.alerts, room - intro.length - 1) : '';
  return [intro, body, links].filter((part) => part !== '').join('\n');
}

function digestText(alerts: readonly AlertMessage[], limit: number): string {
  const lines: string[] = [];
  let room = limit - `and ${alerts.length} more`.length;
  for (const { headline, moves } of alerts) {
    const line = `• ${escaped(headline, digestLineLimit)}${moves ? `\n  ${moves.text}` : ''}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = alerts.length - lines.length;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

function fieldsOf(alert: AlertMessage, budget: number): Field[] {
  const facts = factsOf(alert).map(([name, value]) => ({ name, value, inline: true }));
  const listings = alert.listings.map((value, index) => ({
    name: `Listing ${index + 1}`,
    value,
    inline: false,
  }));
  const fields: Field[] = [];
  let room = budget;
  for (const { name, value, inline } of [...facts, ...listings].slice(0, fieldsLimit)) {
    const field = {
      name: escaped(name, fieldNameLimit),
      value: escaped(value, fieldValueLimit),
      inline,
    };
    room -= field.name.length + field.value.length;
    if (room < 0) break;
    fields.push(field);
  }
  return fields;
}

function escaped(text: string, limit: number): string {
  return fitInto(text, { limit, escape: escapeDiscord });
}

/** A backslash before whatever starts markup, a mention, a masked link or (the slash) an address. */
function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>[\]#@/]/g, '\\$&');
}
