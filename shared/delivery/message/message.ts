// The content of a message, the same for every channel; renderers only lay it out.
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { type BaseSeries, unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { ageText, eventDateText, momentText, moneyText, valueText } from './figures.ts';
import { earlierValue, happeningText, ticketsText, toldValue } from './happening.ts';
import type { Moves } from './moves.ts';
import { nameText, singleLine } from './plain-text.ts';

/** News that is this old is told as news of the past. */
export const staleAfterMs = 6 * 3_600_000;

/** One alert in words: ready lines for people, each free of line breaks and of hidden characters. */
export interface AlertMessage {
  /** What happened, in one line a person can act on. */
  headline: string;
  eventName: string;
  /** On the clocks of the venue; undefined while unknown. */
  eventDate: string | undefined;
  venue: string | undefined;
  /** The zone, or the whole event. */
  scope: string;
  /** The rule in one English sentence. */
  sentence: string;
  value: string;
  previousValue: string | undefined;
  /** When the market showed it; undefined where no one moment can be named. */
  previousSeen: string | undefined;
  /** How the number moved, where this alert tells of the last of several moves. */
  moves: Moves | undefined;
  /** The level that was set; undefined for a rule about a change. */
  level: string | undefined;
  /** When the market showed it, and how long ago that was when the message was made. */
  observed: string;
  /** The listings that are meant, cheapest first. */
  listings: string[];
  /** The page of the watch, where it can be stopped; undefined where there is none. */
  watchUrl: string | undefined;
}

/** What every channel can lay out: alerts, or a few sentences, and at most one thing to press. */
export interface Message {
  kind: 'alert' | 'digest' | 'notice' | 'test' | 'confirmation';
  headline: string;
  paragraphs: string[];
  alerts: AlertMessage[];
  action: { label: string; url: string } | undefined;
  /** The page where everything that comes to this channel can be stopped. */
  stopUrl: string | undefined;
}

/** Where and when a message is read. */
export interface ReaderContext {
  /** Epoch milliseconds: ages are told as of then. */
  now: number;
  /** The reader's IANA zone. */
  timeZone: string;
  /** Makes the address of a watch's page. */
  watchUrl?: (watchId: string) => string;
}

/** Makes the message of an alert; all numbers are the alert's own, frozen ones. */
export function composeMessage(alert: Alert, reading: ReaderContext, moves?: Moves): AlertMessage {
  const { base } = parseSeries(alert.series);
  const unit = unitOf(base);
  const scope = scopeOf(base);
  const earlier = earlierValue(alert);
  const level = alert.role === 'main' ? alert.askedLevel : null;
  const levelText = level === null ? undefined : valueText(unit, level);
  const sentence = nameText(alert.sentence, 1_000);
  const eventName = nameText(alert.eventName) || `Event ${alert.eventId}`;
  const place = scope === undefined ? eventName : `${eventName}, ${scope}`;
  const asked = levelText === undefined ? `your rule: ${sentence}` : `your level was ${levelText}`;
  const already = alert.alreadyTrue ? ' (already so when the rule was made)' : '';
  const ageMs = reading.now - alert.observedAt;
  const past = ageMs > staleAfterMs ? `${ageText(ageMs)} ago: ` : '';
  const venue = [alert.venueName, alert.venueCity].filter((part) => part !== undefined).join(', ');
  return {
    headline: `${past}${place}: ${happeningText(alert, reading)}; ${asked}${already}`,
    eventName,
    eventDate: eventDateText(alert.eventDate, alert.eventTime),
    venue: nameText(venue) || undefined,
    scope: scope ?? 'whole event',
    sentence,
    value: alert.role === 'no_data' ? 'none' : toldValue(alert),
    previousValue: earlier === null ? undefined : valueText(unit, earlier),
    previousSeen:
      earlier === null || alert.earlierAt === undefined
        ? undefined
        : momentText(alert.earlierAt, reading.timeZone),
    moves,
    level: levelText,
    observed: `${momentText(alert.observedAt, reading.timeZone)}, ${ageText(ageMs)} ago`,
    listings: alert.listings.map(listingLine),
    watchUrl: reading.watchUrl?.(alert.watchId),
  };
}

/** The facts of an alert as label and text, in the order in which they matter. */
export function factsOf(alert: AlertMessage): [label: string, text: string][] {
  const facts: [string, string | undefined][] = [
    ['Event', alert.eventName],
    ['Date', alert.eventDate],
    ['Venue', alert.venue],
    ['Where', alert.scope],
    ['Now', alert.value],
    ['Before', beforeText(alert)],
    ['Meanwhile', alert.moves?.text],
    ['Your level', alert.level],
    ['Your rule', alert.sentence],
    ['Seen', alert.observed],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** "$90 (Feb 28, 2:00 PM EST)". */
function beforeText({ previousValue, previousSeen }: AlertMessage): string | undefined {
  return previousSeen === undefined ? previousValue : `${previousValue} (${previousSeen})`;
}

function scopeOf(base: BaseSeries): string | undefined {
  return 'zone' in base && base.zone !== null ? nameText(base.zone) : undefined;
}

function listingLine(listing: ListingMatch): string {
  const { zone, section, row, quantity, priceCents } = listing;
  const seat = `section ${nameText(section)}, row ${nameText(row)}`;
  const line = `${moneyText(priceCents)}: ${seat}, ${ticketsText(quantity)}`;
  return singleLine(zone === '' ? line : `${line}, ${nameText(zone)}`);
}
