/**
 * The event catalog: writes entries and resolves ids. Text search is in search.ts.
 */
import type * as z from 'zod';
import { toDate } from './clock.ts';
import type { eventObservationSchema, venueObservationSchema } from './ingest/observations.ts';
import type { Store } from './store/store.ts';

type EventEntry = z.output<typeof eventObservationSchema>;
type VenueEntry = z.output<typeof venueObservationSchema>;

/** Thrown when an observation gives a marketplace id that another event has: correct the input. */
export class TakenIdError extends Error {
  override readonly name = 'TakenIdError';
}

/** The fields of an event that every endpoint needs. */
export interface CatalogEvent {
  id: number;
  shEventId: number;
  vsEventId: number | null;
  venueId: number;
  startsAt: number;
}

const columns =
  'id, sh_event_id AS shEventId, vs_event_id AS vsEventId, venue_id AS venueId, starts_at AS startsAt';

/** The event of a service id or, with `marketplace`, of an `sh` id. */
export function findEvent(
  store: Store,
  id: number,
  idKind: 'service' | 'marketplace',
): CatalogEvent | undefined {
  if (!Number.isSafeInteger(id)) return undefined;
  const column = idKind === 'service' ? 'id' : 'sh_event_id';
  return store.get<CatalogEvent>(`SELECT ${columns} FROM events WHERE ${column} = ?`, id);
}

/** Start of an event in epoch milliseconds, reading its date and time as UTC. */
export function startOf(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00Z`);
}

/**
 * Adds the event or replaces its metadata. Keeps the `first_seen_date` of a known event unless the
 * entry has one.
 * @returns whether the event is new.
 * @throws TakenIdError when a marketplace id belongs to another event.
 */
export function putEvent(store: Store, entry: EventEntry, now: number): boolean {
  return store.transaction(() => {
    refuseTakenIds(store, entry);
    putVenue(store, venueOf(entry));
    const known = store.get<{ first_seen_date: string }>(
      'SELECT first_seen_date FROM events WHERE id = ?',
      entry.event_id,
    );
    const firstSeen = entry.first_seen_date ?? known?.first_seen_date ?? toDate(now);
    writeEvent(store, entry, firstSeen);
    writeText(store, entry);
    return known === undefined;
  });
}

/** Removes an event from the catalog; its observations stay. */
export function removeEvent(store: Store, eventId: number): void {
  store.transaction(() => {
    store.run('DELETE FROM events WHERE id = ?', eventId);
    store.run('DELETE FROM event_text WHERE rowid = ?', eventId);
  });
}

function refuseTakenIds(store: Store, entry: EventEntry): void {
  const owner = store.get<{ id: number }>(
    'SELECT id FROM events WHERE (sh_event_id = ? OR vs_event_id = ?) AND id <> ?',
    entry.sh_event_id,
    entry.vs_event_id,
    entry.event_id,
  );
  if (!owner) return;
  throw new TakenIdError(
    `event ${entry.event_id}: sh_event_id ${entry.sh_event_id} or vs_event_id ${entry.vs_event_id} belongs to event ${owner.id}`,
  );
}

/**
 * The venue of an entry. A venue that is not normalized has only its raw name: it is stored under
 * the event's negative id and served without a `std_venue_id`.
 */
function venueOf(entry: EventEntry): VenueEntry {
  return (
    entry.venue ?? {
      std_venue_id: -entry.event_id,
      venue_name: entry.raw_venue_name ?? '',
      venue_city: entry.raw_venue_city ?? '',
      venue_state: entry.raw_venue_state ?? '',
      venue_state_name: '',
      venue_country_code: '',
      venue_country: '',
      venue_lat: 0,
      venue_lng: 0,
      venue_slug: '',
      venue_tm_id: '',
    }
  );
}

function putVenue(store: Store, venue: VenueEntry): void {
  const known = store.get<{ name: string; city: string }>(
    'SELECT name, city FROM venues WHERE id = ?',
    venue.std_venue_id,
  );
  if (known && (known.name !== venue.venue_name || known.city !== venue.venue_city)) {
    store.run(
      `UPDATE event_text SET venue_name = ?, venue_city = ?
       WHERE rowid IN (SELECT id FROM events WHERE venue_id = ?)`,
      venue.venue_name,
      venue.venue_city,
      venue.std_venue_id,
    );
  }
  store.run(
    'INSERT OR REPLACE INTO venues VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    venue.std_venue_id,
    venue.venue_name,
    venue.venue_city,
    venue.venue_state,
    venue.venue_state_name,
    venue.venue_country_code,
    venue.venue_country,
    venue.venue_lat,
    venue.venue_lng,
    venue.venue_slug,
    venue.venue_tm_id,
  );
}

function writeEvent(store: Store, entry: EventEntry, firstSeen: string): void {
  const venue = venueOf(entry);
  store.run('DELETE FROM events WHERE id = ?', entry.event_id);
  store.run(
    'INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    entry.event_id,
    entry.sh_event_id,
    entry.vs_event_id,
    entry.event_name,
    entry.alternate_names.join('\n'),
    entry.event_date,
    entry.event_time,
    startOf(entry.event_date, entry.event_time),
    entry.tm_event_id,
    firstSeen,
    entry.std_event_id,
    venue.std_venue_id,
    entry.raw_venue_name ?? venue.venue_name,
    entry.raw_venue_state ?? venue.venue_state,
    entry.performer,
    entry.event_type,
    entry.tour_name,
  );
}

function writeText(store: Store, entry: EventEntry): void {
  const venue = venueOf(entry);
  store.run('DELETE FROM event_text WHERE rowid = ?', entry.event_id);
  store.run(
    'INSERT INTO event_text (rowid, event_name, venue_name, venue_city, raw_venue_name) VALUES (?, ?, ?, ?, ?)',
    entry.event_id,
    [entry.event_name, ...entry.alternate_names].join('\n'),
    venue.venue_name,
    venue.venue_city,
    entry.raw_venue_name ?? venue.venue_name,
  );
}
