// The content of a message, the same for every channel; renderers only lay it out.
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { doubtText, perhapsToldBefore } from './doubt-text.ts';
import type { EpisodeLine } from './episode-line.ts';
import { eventNameText, venueText } from './event-text.ts';
import { ageText, eventDateText, momentText, valueText } from './figures.ts';
import { earlierValue, happeningOf, type Way } from './happening.ts';
import type { MessageLink } from './message-link.ts';
import { cutTo, nameText } from './plain-text.ts';
import type { PriceMovement } from './price-movement.ts';
import { scopeText } from './scope.ts';
import { listingLine } from './seat-text.ts';

/** The headline of an alert that was seen longer ago ends with its time. */
export const staleAfterMs = 6 * 3_600_000;
/** What the lock screen of a phone shows of a title. */
export const pushLimit = 40;

/** The facts of an event, which a message says once. */
export interface EventLines {
  eventId: number;
  name: string;
  /** In the venue's time zone; undefined while unknown. */
  date: string | undefined;
  venue: string | undefined;
}

/** The picture of an alert's price. */
export interface MessageChart {
  url: string;
  /** The same for dark pages. */
  darkUrl: string;
  /** What the picture shows, in words. */
  alt: string;
}

/** One alert in words: finished lines for people, without line breaks or hidden characters. */
export interface AlertMessage {
  alertId: string;
  /** One line, the price first: its first 40 characters say price, direction and event. */
  headline: string;
  /** At most 40 characters: price, direction, event. */
  push: string;
  /** The number went back after an alert. */
  isRecovery: boolean;
  /** Where the number went; undefined if that is not known. */
  way: Way | undefined;
  event: EventLines;
  /** The zone or the seats; undefined for the whole event. */
  scope: string | undefined;
  /** The event with its zone or seats: "Knicks at Heat, Lower Bowl". */
  place: string;
  /** "$74". */
  value: string;
  /** "$74 ▼ 18%". */
  lead: string;
  /** What the number did, and the level: "▼ 18% from $90 since …, under your $80". */
  detail: string;
  /** The level that the owner set; undefined for a rule about a change. */
  level: string | undefined;
  /** What may be wrong with the value, and what to do; undefined if nothing may be. */
  doubt: string | undefined;
  previousValue: string | undefined;
  /** When the market had the previous value; undefined if it is not the value of one moment. */
  previousSeen: string | undefined;
  /** The successive values, if this alert is the last of several about one number. */
  moves: PriceMovement | undefined;
  /** When the market showed the value, and how much later we saw it. */
  observed: string;
  /** The rule in one English sentence. */
  sentence: string;
  watchName: string | undefined;
  tags: string[];
  /** The matching listings, cheapest first. */
  listings: string[];
  /** The last values as block characters; empty while there are too few. */
  sparkline: string;
  chart: MessageChart | undefined;
  /** See tickets, open, and what can be done about the alert; the first is the most important. */
  links: MessageLink[];
  /** The page of the alert; undefined if there is none. */
  pageUrl: string | undefined;
  /** What happened since, in a message that is kept up to date; shown first. */
  episode?: EpisodeLine;
}

/** The content for every channel: alerts or a few sentences. */
export interface Message {
  kind: 'alert' | 'digest' | 'notice' | 'test' | 'confirmation';
  headline: string;
  push: string;
  paragraphs: string[];
  alerts: AlertMessage[];
  /** The buttons of the whole message: those of its only alert, or its own. */
  links: MessageLink[];
  /** The page where messages to this channel can be stopped or snoozed. */
  stopUrl: string | undefined;
  /** The page that lists the alerts of this channel, for those that a message has no room for. */
  moreUrl: string | undefined;
}

/** Where a message is read, and what it may link to. */
export interface ReaderContext {
  /** When the message is made, epoch milliseconds. */
  now: number;
  /** The reader's IANA zone. */
  timeZone: string;
  /** The links, the chart and the sparkline of an alert. @default none */
  extrasOf?: ((alert: Alert) => AlertExtras) | undefined;
}

/** What an alert's message shows beside its words. */
export type AlertExtras = Pick<AlertMessage, 'links' | 'pageUrl' | 'chart' | 'sparkline'>;

const noExtras: AlertExtras = { links: [], pageUrl: undefined, chart: undefined, sparkline: '' };

/** Composes the message of an alert; all numbers are those frozen in the alert. */
export function composeMessage(
  alert: Alert,
  reading: ReaderContext,
  moves?: PriceMovement,
): AlertMessage {
  const { base } = parseSeries(alert.series);
  const { timeZone } = reading;
  const event = eventLinesOf(alert);
  const scope = scopeText(base);
  // A listing names its seat.
  const place =
    scope === undefined || alert.listings.length > 0 ? event.name : `${event.name}, ${scope}`;
  const { value, lead, way, why, detail } = happeningOf(alert, timeZone);
  const earlier = earlierValue(alert);
  const isOld = reading.now - alert.observedAt > staleAfterMs;
  const seen = isOld ? `seen ${momentText(alert.observedAt, timeZone)}` : '';
  const isRepeat = alert.mayRepeatSince !== undefined;
  const repeat = isRepeat ? perhapsToldBefore : '';
  const told = [why, seen, repeat].filter((part) => part !== '');
  return {
    alertId: alert.alertId,
    headline: [`${lead}: ${place}`, ...told].join(' · '),
    push: cutTo(`${lead} ${place}`, pushLimit),
    isRecovery: alert.role === 'recovery',
    ...{ way, event, scope, place, value, lead, moves },
    // A digest shows no doubt, but each detail.
    detail: isRepeat ? [detail, perhapsToldBefore].filter(Boolean).join(', ') : detail,
    level: levelOf(alert),
    doubt: doubtText(alert, timeZone),
    previousValue: earlier === null ? undefined : valueText(unitOf(base), earlier),
    previousSeen:
      earlier === null || alert.earlierAt === undefined
        ? undefined
        : momentText(alert.earlierAt, timeZone),
    observed: observedText(alert, timeZone),
    sentence: nameText(alert.sentence, 1_000),
    watchName: nameText(alert.watchName ?? '') || undefined,
    tags: (alert.watchTags ?? []).map((tag) => nameText(tag)).filter((tag) => tag !== ''),
    listings: alert.listings.map(listingLine),
    ...(reading.extrasOf?.(alert) ?? noExtras),
  };
}

function levelOf({ role, askedLevel, series }: Alert): string | undefined {
  if (askedLevel === null || (role !== 'main' && role !== 'recovery')) return undefined;
  return valueText(unitOf(parseSeries(series).base), askedLevel);
}

/** The facts of an alert's event. */
export function eventLinesOf(alert: Alert): EventLines {
  return {
    eventId: alert.eventId,
    name: eventNameText(alert.eventName, alert.eventId),
    date: eventDateText(alert.eventDate, alert.eventTime),
    venue: venueText(alert.venueName, alert.venueCity),
  };
}

/** "Mar 1, 7:01 AM EST, by us 21 sec later": a span between two moments does not age as "2 min ago" does. */
function observedText({ observedAt, firedAt }: Alert, timeZone: string): string {
  const late = Math.max(0, firedAt - observedAt);
  return `${momentText(observedAt, timeZone)}, by us ${ageText(late)} later`;
}

/** The facts of an alert as label and text, without those of its event; `observed` is the market's time. */
export function factsOf(alert: AlertMessage): [label: string, text: string][] {
  const facts: [string, string | undefined][] = [
    ['Careful', alert.doubt],
    ['Before', beforeText(alert)],
    ['Meanwhile', alert.moves?.text],
    ['Seen', alert.observed],
    ['Your rule', alert.sentence],
    ['Watch', watchText(alert)],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** "$90 (Feb 28, 2:00 PM EST)"; undefined if the detail says it. */
function beforeText(alert: AlertMessage): string | undefined {
  const { previousValue, previousSeen, detail } = alert;
  if (previousValue === undefined || detail.includes(`from ${previousValue}`)) return undefined;
  return previousSeen === undefined ? previousValue : `${previousValue} (${previousSeen})`;
}

/** "“Finals” #knicks #east"; undefined for a watch without a name and tags. */
function watchText({ watchName, tags }: AlertMessage): string | undefined {
  const parts = [
    ...(watchName === undefined ? [] : [`“${watchName}”`]),
    ...tags.map((tag) => `#${tag}`),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** "Sat, Mar 7, 2026, 7:30 PM · Kaseya Center, Miami"; empty while both are unknown. */
export function whenAndWhere({ date, venue }: EventLines): string {
  return [date, venue].filter((part) => part !== undefined).join(' · ');
}

/** Says under each message with prices what they are. */
export const listedPrices = 'Listed prices; the marketplace may add fees.';

/** "and 3 more". */
export function moreText(count: number): string {
  return `and ${count} more`;
}

/** An event with its alerts. */
export interface EventGroup {
  event: EventLines;
  alerts: AlertMessage[];
}

/** The alerts by event, in the order in which each event comes first. */
export function eventGroups(alerts: readonly AlertMessage[]): EventGroup[] {
  return [...Map.groupBy(alerts, ({ event }) => event.eventId).values()].map((ofEvent) => ({
    event: (ofEvent[0] as AlertMessage).event,
    alerts: ofEvent,
  }));
}
