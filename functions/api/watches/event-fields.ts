// The fields by which every answer that names an event also names its name and date.
import * as z from 'zod';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';

/** An event's id, its name and its date. */
export const eventFields = {
  event_id: z.int(),
  event_name: z.string().nullable().meta({ description: 'null while it is not known' }),
  event_date: z
    .string()
    .nullable()
    .meta({ description: 'The local date, YYYY-MM-DD; null while it is not known' }),
};

/** The same as JSON. */
export function eventFieldsJson(eventId: number, facts: EventFacts | undefined) {
  return { event_id: eventId, event_name: facts?.name ?? null, event_date: facts?.date ?? null };
}

const known = (words: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${words}; null while it is not known` });

/** When and where an event is. */
export const eventPlaceFields = {
  event_time: known('The local time, HH:MM or HH:MM:SS'),
  event_starts_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'null while its time or its venue’s time zone is not known' }),
  venue_name: known('The venue'),
  venue_city: known('Its city'),
  venue_time_zone: known('Its IANA time zone'),
};

/** The same as JSON. */
export function eventPlaceJson(facts: EventFacts | undefined) {
  const { time, startsAt, venueName, venueCity, timeZone } = facts ?? {};
  return {
    event_time: time ?? null,
    event_starts_at: startsAt === undefined ? null : new Date(startsAt).toISOString(),
    venue_name: venueName ?? null,
    venue_city: venueCity ?? null,
    venue_time_zone: timeZone ?? null,
  };
}
