// What is known of an event beyond its numbers; taken from search answers and the daily catalog, never
// searched for by a poll.
import tzLookup from '@photostructure/tz-lookup';
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';
import { Temporal } from 'temporal-polyfill';
import type { MarketplaceEvent } from '#shared/marketplace/contract.ts';

export const eventFactsSchema = item({
  eventId: number().key(),
  name: string(),
  date: string().optional(),
  time: string().optional(),
  venueName: string().optional(),
  venueCity: string().optional(),
  performer: string().optional(),
  /** The venue's IANA time zone. */
  timeZone: string().optional(),
  /** Epoch milliseconds; absent while the venue's time zone is not known. */
  startsAt: number().optional(),
  updatedAt: number(),
});

export type EventFacts = FormattedValue<typeof eventFactsSchema>;

/**
 * When the event starts, epoch milliseconds; null while its date, time or zone is not known.
 */
export function startOf(facts: EventFacts | undefined): number | null {
  return facts?.startsAt ?? null;
}

/** The facts of a catalog entry; `updatedAt` is when it was read, epoch milliseconds. */
export function factsOf(event: MarketplaceEvent, updatedAt: number): EventFacts {
  const time = event.event_time ?? undefined;
  const timeZone = zoneAt(event.venue_lat, event.venue_lng);
  const startsAt = startAt(event.event_date, time, timeZone);
  return {
    eventId: event.event_id,
    name: event.event_name,
    date: event.event_date,
    ...(time !== undefined && { time }),
    venueName: event.venue_name,
    venueCity: event.venue_city,
    ...(event.performer && { performer: event.performer }),
    ...(timeZone !== undefined && { timeZone }),
    ...(startsAt !== undefined && { startsAt }),
    updatedAt,
  };
}

/** (0, 0) is in the sea: venues without coordinates are catalogued there. */
function zoneAt(lat: number | null | undefined, lng: number | null | undefined) {
  if (typeof lat !== 'number' || typeof lng !== 'number' || (lat === 0 && lng === 0)) {
    return undefined;
  }
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isOnEarth ? tzLookup(lat, lng) : undefined;
}

/** The catalog's date and time are those of the venue's clocks (api.md, Event search item). */
function startAt(date: string, time: string | undefined, timeZone: string | undefined) {
  if (time === undefined || timeZone === undefined) return undefined;
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Doors closed, encores over: what a marketplace still lists then is nobody's to buy. */
const longestEventMs = 6 * 3_600_000;
/** When it is tomorrow everywhere. */
const dayEverywhereMs = 36 * 3_600_000;

/**
 * Whether the event is over for certain; an event of unknown date never is.
 * @param now epoch milliseconds.
 */
export function isPast(facts: Pick<EventFacts, 'startsAt' | 'date'>, now: number): boolean {
  if (facts.startsAt !== undefined) return now > facts.startsAt + longestEventMs;
  if (facts.date === undefined) return false;
  return now > Date.parse(`${facts.date}T00:00:00Z`) + dayEverywhereMs;
}
