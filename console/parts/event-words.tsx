// An event's name, its date and time at the venue, and the venue.
import { coarseNow } from '../state/clock.ts';
import { zone } from '../state/status.ts';
import { daysUntil, venueDate, venueTime } from '../words/times.ts';
import { Link } from './link.tsx';

/** What the API says of an event in every answer that names one. */
export interface NamedEvent {
  event_id: number;
  event_name: string | null;
  event_date: string | null;
  event_time?: string | null;
  venue_name?: string | null;
  venue_city?: string | null;
}

/** Whether a part of an address can be the id of an event. */
export const isEventId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** The name as a link to the event, and under it when and where. */
export function EventWords({ event }: { event: NamedEvent }) {
  return (
    <>
      <Link class="name" to={`/events/${event.event_id}`}>
        {event.event_name ?? `Event ${event.event_id}`}
      </Link>
      <div class="small muted">{whenAndWhere(event, coarseNow.value, zone.value)}</div>
    </>
  );
}

/** `Wed, Dec 2, 7:30 PM · Madison Square Garden · 4 d`. */
export function whenAndWhere(event: NamedEvent, now: number, zone: string): string {
  const { event_date: date, event_time: time, venue_name: venue, venue_city: city } = event;
  const when = date ? [venueDate(date, now), ...(time ? [venueTime(time)] : [])].join(', ') : '';
  const days = date ? daysUntil(date, now, zone) : undefined;
  const left =
    days === undefined ? '' : days < 0 ? 'past' : days === 0 ? 'today' : `${days}\u00a0d`;
  return [when, venue ?? city ?? '', left].filter(Boolean).join(' · ') || 'no date yet';
}
