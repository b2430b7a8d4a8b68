// A message as the plain text of a phone's notification: a title and a few lines, the most important first.
// Phones turn addresses into links by themselves, so names from the market are split where they look like one.
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
import type { MessageLink } from '../message/message-link.ts';
import { fitInto, linesThatFit, withoutAutoLinks } from '../message/plain-text.ts';

/** How much text a service takes, in the unit that it counts. */
export interface PhoneRoom {
  limit: number;
  measure: (text: string) => number;
}

/** The price first: a lock screen shows about 40 characters. */
export function phoneTitle(message: Message, { limit, measure }: PhoneRoom): string {
  const [only] = message.alerts;
  const title = message.kind === 'alert' && only ? `${only.lead}: ${only.place}` : message.headline;
  return fitInto(withoutAutoLinks(title), { limit, measure });
}

/** The lines under the title, as many as fit. `closing` stays whatever the room; its addresses stay links. */
export function phoneText(
  message: Message,
  { limit, measure }: PhoneRoom,
  closing: readonly string[] = [],
): string {
  const fitted = (text: string) => fitInto(withoutAutoLinks(text), { limit: lineLimit, measure });
  const { kind, alerts } = message;
  const [only] = alerts;
  const paragraphs = message.paragraphs.map(fitted);
  const last = [...(alerts.length > 0 ? [listedPrices] : []), ...closing];
  const sizeOf = (lines: readonly string[]) => measure(lines.map((line) => `\n${line}`).join(''));
  const room = limit - sizeOf(last);
  const lines =
    kind === 'digest'
      ? [
          ...paragraphs,
          ...lotsThatFit(digestLots(alerts, fitted), room - sizeOf(paragraphs), sizeOf),
        ]
      : linesThatFit([...(only ? alertLines(only).map(fitted) : []), ...paragraphs], room, sizeOf);
  return [...(lines.length > 0 ? lines : [fitted(message.headline)]), ...last].join('\n');
}

type SizeOf = (lines: readonly string[]) => number;

/** One name must not push the rest out. */
const lineLimit = 300;
/** How many of the cheapest listings are shown. */
const mostListings = 3;

function alertLines(alert: AlertMessage): string[] {
  const { detail, sparkline, event, listings, episode } = alert;
  const since = episode?.line ?? '';
  const facts = factsOf(alert).map(([label, text]) => `${label}: ${text}`);
  const about = [since, detail, sparkline, whenAndWhere(event)];
  return [...about, ...listings.slice(0, mostListings), ...facts].filter((line) => line !== '');
}

/** A lot for each alert; an event's heading goes with its first alert. */
function digestLots(alerts: readonly AlertMessage[], fitted: (text: string) => string): string[][] {
  return eventGroups(alerts).flatMap(({ event, alerts: ofEvent }) => {
    const heading = [event.name, whenAndWhere(event)].filter((line) => line !== '');
    const [first = '', ...others] = ofEvent.map(digestLine);
    const lots = [[...heading, first], ...others.map((other) => [other])];
    return lots.map((lot) => lot.map(fitted));
  });
}

function digestLine(alert: AlertMessage): string {
  const { lead, moves } = alert;
  const parts = [lead, ...partsAfterLead(alert), ...(moves ? [moves.text] : [])];
  return `• ${parts.join(' · ')}`;
}

/** As many lots as fit, and how many do not. */
function lotsThatFit(lots: readonly string[][], room: number, sizeOf: SizeOf): string[] {
  const lines: string[] = [];
  for (const [index, lot] of lots.entries()) {
    const more = index + 1 < lots.length ? [moreText(lots.length)] : [];
    if (sizeOf([...lines, ...lot, ...more]) > room)
      return [...lines, moreText(lots.length - index)];
    lines.push(...lot);
  }
  return lines;
}

/** Where a press on the notification leads, the most useful first. */
export function phoneLinks({ kind, alerts, links, moreUrl, stopUrl }: Message): MessageLink[] {
  const [only] = alerts;
  const tickets = links.filter((link) => link.kind === 'tickets');
  const open = links.filter((link) => link.kind === 'open');
  const page =
    kind === 'alert' && open.length === 0 && only?.pageUrl !== undefined
      ? [{ kind: 'open', label: 'Open in Getin', url: only.pageUrl } as const]
      : open;
  const own = links.filter((link) => link.kind === 'confirm');
  const all =
    kind === 'digest' && moreUrl !== undefined
      ? [{ kind: 'open', label: 'All alerts', url: moreUrl } as const]
      : [];
  const stop =
    stopUrl === undefined ? [] : [{ kind: 'act', label: 'Stop or snooze', url: stopUrl } as const];
  return [...tickets.slice(0, 1), ...page.slice(0, 1), ...own, ...all, ...stop];
}
