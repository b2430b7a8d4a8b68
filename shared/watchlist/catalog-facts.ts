// Reads the facts of an event from the marketplace's catalog: search answers and the daily file, never a
// poll. This file loads a table of the world's time zones, so only code that reads the catalog imports it.
import tzLookup from '@photostructure/tz-lookup';
import { Temporal } from 'temporal-polyfill';
import type { MarketplaceEvent } from '#shared/marketplace/reading/search.ts';
import type { EventFacts } from './event-facts.ts';

/** The parts of a catalog entry that facts are made of. */
type CatalogEntry = Pick<MarketplaceEvent, 'event_id' | 'event_name' | 'event_date'> &
  Partial<
    Pick<MarketplaceEvent, 'event_time' | 'venue_lat' | 'venue_lng' | 'performer' | 'tm_event_id'>
  > & {
    venue_name?: string | null | undefined;
    venue_city?: string | null | undefined;
  };

/** The facts of a catalog entry; `updatedAt` is when it was read, epoch milliseconds. */
export function factsOf(event: CatalogEntry, updatedAt: number): EventFacts {
  const date = isDate(event.event_date) ? event.event_date : undefined;
  const time = isTimeOfDay(event.event_time) ? event.event_time : undefined;
  const timeZone = zoneAt(event.venue_lat, event.venue_lng);
  const startsAt = startAt(date, time, timeZone);
  return {
    eventId: event.event_id,
    name: storableName(event.event_name),
    ...(date !== undefined && { date }),
    ...(time !== undefined && { time }),
    ...(event.venue_name != null && { venueName: storableName(event.venue_name) }),
    ...(event.venue_city != null && { venueCity: storableName(event.venue_city) }),
    ...(event.performer && { performer: storableName(event.performer) }),
    ...(isTmEventId(event.tm_event_id) && { tmEventId: event.tm_event_id }),
    ...(timeZone !== undefined && { timeZone }),
    ...(startsAt !== undefined && { startsAt }),
    updatedAt,
  };
}

/** (0, 0) is in the sea: the catalog gives it for venues without coordinates. */
function zoneAt(lat: number | null | undefined, lng: number | null | undefined) {
  if (typeof lat !== 'number' || typeof lng !== 'number' || (lat === 0 && lng === 0)) {
    return undefined;
  }
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isOnEarth ? tzLookup(lat, lng) : undefined;
}

/** Limits names, because a long name would fill a table item; no page or message shows this much. */
const longestName = 1_000;

/** A name that every table and message can hold: bounded, and without half surrogate pairs. */
function storableName(name: string): string {
  return name.slice(0, longestName).toWellFormed();
}

/** Temporal also accepts an offset or a date here; the catalog's times are 19:30 or 19:30:00. */
const timeOfDay = /^\d\d:\d\d(:[0-5]\d)?$/;
/** Dates are compared as text, so only this form is accepted; all events are after the year 2000. */
const date = /^2\d{3}-\d\d-\d\d$/;

/** The catalog has invalid times such as 24:00, 99:99 or 19:60; such a time counts as unknown. */
function isTimeOfDay(time: string | null | undefined): time is string {
  if (typeof time !== 'string' || !timeOfDay.test(time)) return false;
  return readOrNull(() => Temporal.PlainTime.from(time)) !== null;
}

function isDate(text: string): boolean {
  return date.test(text) && readOrNull(() => Temporal.PlainDate.from(text)) !== null;
}

/** The id becomes part of an address, so other characters count as unknown. */
function isTmEventId(id: string | null | undefined): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** The catalog's date and time are in the venue's time zone (api.md, Event search item). */
function startAt(
  date: string | undefined,
  time: string | undefined,
  timeZone: string | undefined,
): number | undefined {
  if (date === undefined || time === undefined || timeZone === undefined) return undefined;
  const start = readOrNull(() =>
    Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone),
  );
  return start?.epochMilliseconds;
}

/** The value that Temporal parses; null if it throws. */
function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
