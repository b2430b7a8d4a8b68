// Reads the facts of an event out of the marketplace's catalog: search answers and the daily file,
// never a poll. It brings the table of the world's time zones along, so only who reads the catalog
// imports it.
import tzLookup from '@photostructure/tz-lookup';
import { Temporal } from 'temporal-polyfill';
import type { MarketplaceEvent } from '#shared/marketplace/contract.ts';
import type { EventFacts } from './event-facts.ts';

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
