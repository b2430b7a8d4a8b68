// A message as the text of a Telegram message, in its HTML, within its limit.
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
import { cutTo } from '../message/plain-text.ts';
import { escapeTelegram, untappable } from './plain-text.ts';

/** The fields of `sendMessage` and `editMessageText` that are a message's content. */
export interface MessageText {
  text: string;
  parse_mode: 'HTML';
  link_preview_options: object;
}

/** channels.md, Telegram: 4,096 characters after the markup is read; our budget. */
const textBudget = 3_900;
const headlineLimit = 1_000;
const lineLimit = 600;
const digestLineLimit = 300;
/** How many of the cheapest listings are shown. */
const mostListings = 5;

/** One line, or several that stay together; `size` is counted without the markup. */
interface Line {
  html: string;
  size: number;
}

/** @returns `isCut` if the text leaves out alerts. */
export function messageText(message: Message): MessageText & { isCut: boolean } {
  const [only] = message.alerts;
  const lines =
    message.kind === 'alert' && only
      ? { lines: alertLines(message, only), isCut: false }
      : otherLines(message);
  return {
    text: lines.lines.map(({ html }) => html).join('\n'),
    parse_mode: 'HTML',
    link_preview_options: previewOf(message),
    isCut: lines.isCut,
  };
}

/** The picture of the chart is shown as a preview, so that the message stays text and can be edited. */
function previewOf({ alerts }: Message): object {
  const [only, ...others] = alerts;
  if (!only?.chart || others.length > 0) return { is_disabled: true };
  return { url: only.chart.url, prefer_large_media: true, show_above_text: true };
}

function alertLines({ paragraphs }: Message, alert: AlertMessage): Line[] {
  const { lead, place, detail, sparkline, event, listings, episode } = alert;
  const title = bold(`${lead}: ${place}`);
  const since = episode?.line ?? '';
  const about = [since, detail, sparkline, whenAndWhere(event)].filter((text) => text !== '');
  const seats = listings.slice(0, mostListings).map((text) => `• ${text}`);
  const facts = factsOf(alert).map(([label, text]) => `${label}: ${text}`);
  return fitting([
    episode?.isOver === true ? struck(title) : title,
    ...[...about, ...seats].map((text) => plain(text)),
    ...[paragraphs, facts, [listedPrices]].flatMap(paragraph),
  ]);
}

/** Lines after an empty one. */
function paragraph(texts: readonly string[]): Line[] {
  return texts.length === 0 ? [] : [blank, ...texts.map((text) => plain(text))];
}

function otherLines(message: Message): { lines: Line[]; isCut: boolean } {
  const { headline, paragraphs, alerts, moreUrl } = message;
  const before = fitting([bold(headline), ...paragraphs.map((text) => plain(text, headlineLimit))]);
  if (alerts.length === 0) return { lines: before, isCut: false };
  const closing = paragraph([listedPrices]);
  const lines = [...before];
  let room = textBudget - sizeOf([...before, moreLine(alerts.length, moreUrl), ...closing]);
  let told = 0;
  for (const lot of digestLots(alerts)) {
    room -= sizeOf(lot);
    if (room < 0) break;
    lines.push(...lot);
    told += 1;
  }
  const isCut = told < alerts.length;
  const more = isCut ? [moreLine(alerts.length - told, moreUrl)] : [];
  return { lines: [...lines, ...more, ...closing], isCut };
}

/** The lines of each alert; those of an event's first alert begin with the event. */
function digestLots(alerts: readonly AlertMessage[]): Line[][] {
  return eventGroups(alerts).flatMap(({ event, alerts: ofEvent }) => {
    const when = whenAndWhere(event);
    const heading = [blank, bold(event.name), ...(when === '' ? [] : [plain(when)])];
    return ofEvent.map((alert, index) => [...(index === 0 ? heading : []), digestLine(alert)]);
  });
}

const blank: Line = { html: '', size: 0 };

function digestLine(alert: AlertMessage): Line {
  const { lead, moves, pageUrl } = alert;
  const linked = pageUrl === undefined ? bold(lead) : link(pageUrl, bold(lead));
  const rest = partsAfterLead(alert).join(' · ');
  const moved = moves === undefined ? [] : [plain(`   ${moves.text}`)];
  const line = joined([plain('• '), linked, plain(' '), plain(rest, digestLineLimit)], '');
  return joined([line, ...moved], '\n');
}

function moreLine(count: number, url: string | undefined): Line {
  const text = plain(moreText(count));
  return url === undefined ? text : link(url, text);
}

/** As many lines as fit, at least the first. */
function fitting(lines: readonly Line[]): Line[] {
  let room = textBudget;
  const end = lines.findIndex(({ size }) => {
    room -= size + 1;
    return room < 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, Math.max(1, end));
}

function plain(text: string, limit = lineLimit): Line {
  const shown = cutTo(untappable(text), limit);
  return { html: escapeTelegram(shown), size: shown.length };
}

function bold(text: string): Line {
  const { html, size } = plain(text, headlineLimit);
  return { html: `<b>${html}</b>`, size };
}

/** What the line tells is over. */
function struck({ html, size }: Line): Line {
  return { html: `<s>${html}</s>`, size };
}

function link(url: string, { html, size }: Line): Line {
  return { html: `<a href="${escapeTelegram(url)}">${html}</a>`, size };
}

function joined(lines: readonly Line[], separator: string): Line {
  return {
    html: lines.map(({ html }) => html).join(separator),
    size: lines.reduce((sum, { size }) => sum + size + separator.length, 0),
  };
}

/** With a line break after each. */
function sizeOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { size }) => sum + size + 1, 0);
}
