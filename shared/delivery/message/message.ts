// The content of a message, the same for every channel; renderers only lay it out.
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { ageText, eventDateText, momentText, moneyText, valueText } from './figures.ts';
import { earlierValue, happeningText, ticketsText, toldValue } from './happening.ts';
import { nameText, singleLine } from './plain-text.ts';
import type { PriceMovement } from './price-movement.ts';
import { scopeText } from './scope.ts';

/** The headline of an alert older than this begins with its age. */
export const staleAfterMs = 6 * 3_600_000;

/** One alert in words: finished lines for people, without line breaks or hidden characters. */
export interface AlertMessage {
  /** What happened, in one line that a person can act on. */
  headline: string;
  /** The number went back after an alert. */
  isRecovery: boolean;
  eventName: string;
  /** In the venue's time zone; undefined while unknown. */
  eventDate: string | undefined;
  venue: string | undefined;
  /** The zone or the seats, or the whole event. */
  scope: string;
  /** The rule in one English sentence. */
  sentence: string;
  value: string;
  /** What may be wrong with the value, and what to do; undefined if nothing may be. */
  doubt: string | undefined;
  previousValue: string | undefined;
  /** When the market had the previous value; undefined if it is not the value of one moment. */
  previousSeen: string | undefined;
  /** The successive values, if this alert is the last of several about one number. */
  moves: PriceMovement | undefined;
  /** The level that the owner set; undefined for a rule about a change. */
  level: string | undefined;
  /** When the market showed the value, and its age when the message was made. */
  observed: string;
  /** The matching listings, cheapest first. */
  listings: string[];
  /** The page where the watch can be stopped; undefined if there is none. */
  watchUrl: string | undefined;
}

/** The content for every channel: alerts or a few sentences, and at most one button. */
export interface Message {
  kind: 'alert' | 'digest' | 'notice' | 'test' | 'confirmation';
  headline: string;
  paragraphs: string[];
  alerts: AlertMessage[];
  action: { label: string; url: string } | undefined;
  /** The page where all messages to this channel can be stopped. */
  stopUrl: string | undefined;
}

/** Where and when a message is read. */
export interface ReaderContext {
  /** Ages count up to this moment, epoch milliseconds. */
  now: number;
  /** The reader's IANA zone. */
  timeZone: string;
  /** Makes the address of a watch's page. */
  watchUrl?: (watchId: string) => string;
}

/** Composes the message of an alert; all numbers are those frozen in the alert. */
export function composeMessage(
  alert: Alert,
  reading: ReaderContext,
  moves?: PriceMovement,
): AlertMessage {
  const { base } = parseSeries(alert.series);
  const unit = unitOf(base);
  const scope = scopeText(base);
  const earlier = earlierValue(alert);
  const isRecovery = alert.role === 'recovery';
  const level = alert.role === 'main' || isRecovery ? alert.askedLevel : null;
  const levelText = level === null ? undefined : valueText(unit, level);
  const sentence = nameText(alert.sentence, 1_000);
  const eventName = nameText(alert.eventName) || `Event ${alert.eventId}`;
  // A headline about a listing names its seat.
  const isPlain = scope === undefined || alert.listings.length > 0;
  const place = isPlain ? eventName : `${eventName}, ${scope}`;
  const asked = levelText === undefined ? `your rule: ${sentence}` : `your level was ${levelText}`;
  const already = alert.alreadyTrue ? ' (already so when the rule was made)' : '';
  const ageMs = reading.now - alert.observedAt;
  const past = ageMs > staleAfterMs ? `${ageText(ageMs)} ago: ` : '';
  const venue = [alert.venueName, alert.venueCity].filter((part) => part !== undefined).join(', ');
  return {
    headline: `${past}${place}: ${happeningText(alert, reading)}; ${asked}${already}`,
    isRecovery,
    eventName,
    eventDate: eventDateText(alert.eventDate, alert.eventTime),
    venue: nameText(venue) || undefined,
    scope: scope ?? 'whole event',
    sentence,
    value: alert.role === 'no_data' ? 'none' : toldValue(alert),
    doubt: doubtText(alert),
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

/** The most confirmations that a rule may have. */
const mostConfirmations = 10;

function doubtText({ loneListing }: Alert): string | undefined {
  if (!loneListing) return undefined;
  const doubt = 'one listing, far under the rest; it may be mis-keyed';
  const more = loneListing.confirmations + 1;
  if (more > mostConfirmations) return doubt;
  return `${doubt}. With confirmations ${more} the rule waits until ${more} snapshots in a row show it`;
}

/** The facts of an alert as label and text, the most important first. */
export function factsOf(alert: AlertMessage): [label: string, text: string][] {
  const facts: [string, string | undefined][] = [
    ['Event', alert.eventName],
    ['Date', alert.eventDate],
    ['Venue', alert.venue],
    ['Where', alert.scope],
    ['Now', alert.doubt === undefined ? alert.value : `${alert.value}: ${alert.doubt}`],
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

function listingLine(listing: ListingMatch): string {
  const { zone, section, row, quantity, priceCents } = listing;
  const seat = `section ${nameText(section)}, row ${nameText(row)}`;
  const line = `${moneyText(priceCents)}: ${seat}, ${ticketsText(quantity)}`;
  return singleLine(zone === '' ? line : `${line}, ${nameText(zone)}`);
}
