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
