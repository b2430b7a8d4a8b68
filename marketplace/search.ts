/**
 * Finds events in the catalog: partial text through the trigram index, exact fields, dates, past
 * and future. Serves no HTTP and knows no cursors.
 */
import type { EventJson } from '#shared/marketplace/contract.ts';
import { toDate } from './clock.ts';
import type { Store } from './store/store.ts';

export interface EventFilter {
  event_name?: string | undefined;
  event_date?: string | undefined;
  venue_name?: string | undefined;
  /** The venue's name as the marketplace spells it; the legacy search uses it. */
  raw_venue_name?: string | undefined;
  venue_city?: string | undefined;
  venue_state?: string | undefined;
  /** A part of the state's code or name as the marketplace spells it. */
  raw_venue_state?: string | undefined;
  country_code?: string | undefined;
  tm_event_id?: string | undefined;
  std_event_id?: number | undefined;
  std_venue_id?: number | undefined;
  venue_slug?: string | undefined;
}

export interface EventQuery {
  filter: EventFilter;
  /** Events before the current date, from it on, or both. */
  span: 'future' | 'past' | 'all';
  /** Market time, epoch milliseconds. */
  now: number;
  /** Sort key of the last event served, if any. */
  after?: { startsAt: number; id: number };
  /** @default all of them */
  limit?: number;
}

export interface FoundEvent {
  id: number;
  starts_at: number;
  name: string;
  date: string;
  time: string;
  tm_event_id: string;
  first_seen_date: string;
  std_event_id: number;
  performer: string;
  event_type: string;
  tour_name: string;
  raw_venue_name: string;
  raw_venue_state: string;
  venue_id: number;
  venue_name: string;
  city: string;
  state: string;
  country_code: string;
  country: string;
  lat: number;
  lng: number;
  slug: string;
  venue_tm_id: string;
}

const columns = `e.id, e.starts_at, e.name, e.date, e.time, e.tm_event_id, e.first_seen_date,
  e.std_event_id, e.performer, e.event_type, e.tour_name, e.raw_venue_name, e.raw_venue_state,
  v.id AS venue_id, v.name AS venue_name, v.city, v.state, v.country_code, v.country, v.lat, v.lng,
  v.slug, v.tm_id AS venue_tm_id`;

const from = 'FROM events e JOIN venues v ON v.id = e.venue_id';

/** Events that match every given field, by start and then id. */
export function searchEvents(store: Store, query: EventQuery): FoundEvent[] {
  const { where, values } = writeConditions(query);
  return store.all<FoundEvent>(
    `SELECT ${columns} ${from} WHERE ${where} AND (e.starts_at, e.id) > (?, ?)
     ORDER BY e.starts_at, e.id LIMIT ?`,
    ...values,
    query.after?.startsAt ?? Number.MIN_SAFE_INTEGER,
    query.after?.id ?? 0,
    query.limit ?? Number.MAX_SAFE_INTEGER,
  );
}

interface Conditions {
  where: string;
  values: (string | number)[];
}

function writeConditions(query: EventQuery): Conditions {
  const { filter } = query;
  const parts: { sql: string; values: (string | number)[] }[] = [spanCondition(query)];
  for (const column of ['event_name', 'venue_name', 'raw_venue_name', 'venue_city'] as const) {
    const text = filter[column];
    if (text !== undefined && text !== '') parts.push(partialText(column, text));
  }
  if (filter.event_date) parts.push({ sql: 'instr(e.date, ?) > 0', values: [filter.event_date] });
  if (filter.venue_state) parts.push(stateCondition(filter.venue_state));
  if (filter.raw_venue_state) parts.push(partialState(filter.raw_venue_state));
  const exact = {
    'v.country_code': filter.country_code,
    'e.tm_event_id': filter.tm_event_id,
    'e.std_event_id': filter.std_event_id,
    // Negative ids belong to venues that are not normalized; no caller knows them.
    'e.venue_id': filter.std_venue_id === undefined ? undefined : Math.max(0, filter.std_venue_id),
    'v.slug': filter.venue_slug,
  };
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined && value !== '') parts.push({ sql: `${column} = ?`, values: [value] });
  }
  return {
    where: parts.map(({ sql }) => sql).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** An event is past when its date is: its start is in the venue's time, not ours. */
function spanCondition({ span, now }: EventQuery) {
  if (span === 'all') return { sql: '1', values: [] };
  const midnight = Date.parse(toDate(now));
  return { sql: `e.starts_at ${span === 'future' ? '>=' : '<'} ?`, values: [midnight] };
}

/**
 * The index finds three characters or more; shorter texts need a full scan. The index reads a
 * phrase only up to a NUL, and no name has one.
 */
function partialText(column: string, text: string) {
  if (text.includes('\0')) return { sql: '0', values: [] };
  if ([...text].length >= 3) {
    const phrase = `${column} : "${text.replaceAll('"', '""')}"`;
    return {
      sql: 'e.id IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)',
      values: [phrase],
    };
  }
  return {
    sql: `e.id IN (SELECT rowid FROM event_text WHERE instr(fold(${column}), ?) > 0)`,
    values: [text.toLowerCase()],
  };
}

/**
 * The code of a state, otherwise a part of its name or code: "IN" is Indiana, "ew" also New York.
 */
function stateCondition(text: string) {
  const isCode = 'fold(state) = ?';
  return {
    sql: `iif(EXISTS (SELECT 1 FROM venues WHERE ${isCode}), ${isCode},
      instr(fold(v.state_name || char(10) || v.state), ?) > 0)`,
    values: [text.toLowerCase(), text.toLowerCase(), text.toLowerCase()],
  };
}

function partialState(text: string) {
  return {
    sql: `instr(fold(e.raw_venue_state || char(10) || v.state || char(10) || v.state_name), ?) > 0`,
    values: [text.toLowerCase()],
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** The v1 search item: metadata only (api.md, Event search item). */
export function toSearchItem(event: FoundEvent, now: number): EventJson {
  return {
    event_id: event.id,
    event_name: event.name,
    event_date: event.date,
    event_time: event.time,
    tm_event_id: event.tm_event_id,
    days_on_service: Math.max(0, Math.floor((now - Date.parse(event.first_seen_date)) / dayMs)),
    first_seen_date: event.first_seen_date,
    venue_name: event.venue_name,
    venue_city: event.city,
    venue_state: event.state,
    venue_country_code: event.country_code,
    venue_country: event.country,
    venue_lat: event.lat,
    venue_lng: event.lng,
    venue_slug: event.slug,
    venue_tm_id: event.venue_tm_id,
    std_event_id: event.std_event_id,
    // 0 when the venue is not normalized (catalog.ts).
    std_venue_id: Math.max(0, event.venue_id),
    performer: event.performer,
    event_type: event.event_type,
    tour_name: event.tour_name,
  };
}
