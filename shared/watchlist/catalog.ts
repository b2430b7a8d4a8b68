// The events of the daily catalog, in the short form in which they are stored and searched.

/** The facts of an event by which it is found and named; null where the catalog has none. */
export interface CatalogEntry {
  event_id: number;
  event_name: string;
  /** YYYY-MM-DD, local. */
  event_date: string;
  event_time: string | null;
  performer: string | null;
  tour_name: string | null;
  venue_name: string | null;
  venue_city: string | null;
  venue_state: string | null;
  venue_lat: number | null;
  venue_lng: number | null;
  tm_event_id: string | null;
}

/** An entry as stored: its values in the order of `fields`. */
export type StoredEntry = readonly (string | number | null)[];

const texts = ['event_name', 'event_date', 'event_time', 'performer', 'tour_name'] as const;
const venueTexts = ['venue_name', 'venue_city', 'venue_state'] as const;
const numbers = ['venue_lat', 'venue_lng'] as const;
/** Fields that catalogs stored before them lack; they come last. */
const laterFields = ['tm_event_id'] as const;
const fields = ['event_id', ...texts, ...venueTexts, ...numbers, ...laterFields] as const;

/** No name is longer in an answer; a longer one is cut. */
const longestText = 300;
const date = /^2\d{3}-\d\d-\d\d$/;
const number = /^-?\d+(\.\d+)?$/;

/** Reads a row of the catalog's file; undefined if it has no id, name or date. */
export function readCatalogRow(row: Readonly<Record<string, string>>): CatalogEntry | undefined {
  const { event_id: id = '', event_name: name = '', event_date: day = '' } = row;
  if (!/^\d{1,15}$/.test(id) || name === '' || !date.test(day)) return undefined;
  const text = (field: string) => row[field]?.slice(0, longestText).toWellFormed() || null;
  const amount = (field: string) => {
    const cell = row[field] ?? '';
    return number.test(cell) ? Number(cell) : null;
  };
  return {
    ...{ event_id: Number(id), event_name: text('event_name') ?? '', event_date: day },
    ...{ event_time: text('event_time'), performer: text('performer') },
    ...{ tour_name: text('tour_name'), venue_name: text('venue_name') },
    ...{ venue_city: text('venue_city'), venue_state: text('venue_state') },
    ...{ venue_lat: amount('venue_lat'), venue_lng: amount('venue_lng') },
    tm_event_id: text('tm_event_id'),
  };
}

/** Compares by date, time and id. */
export function compareEntries(a: CatalogEntry, b: CatalogEntry): number {
  const [one, other] = [startText(a), startText(b)];
  if (one !== other) return one < other ? -1 : 1;
  return a.event_id - b.event_id;
}

/** The local start as sortable text; an unknown time comes first. */
export function startText({ event_date, event_time }: CatalogEntry): string {
  return `${event_date}T${event_time ?? ''}`;
}

/** The entry's values in their stored order. */
export function storeEntry(entry: CatalogEntry): StoredEntry {
  return fields.map((field) => entry[field]);
}

/** The entry again; undefined if it is damaged. */
export function restoreEntry(stored: unknown): CatalogEntry | undefined {
  if (!Array.isArray(stored) || stored.length > fields.length) return undefined;
  if (stored.length < fields.length - laterFields.length) return undefined;
  const values = fields.map((field, index) => [field, (stored[index] ?? null) as unknown]);
  const entry = Object.fromEntries(values) as Record<(typeof fields)[number], unknown>;
  const { event_id: id, event_name: name, event_date: day } = entry;
  const isWhole = Number.isSafeInteger(id) && typeof name === 'string' && typeof day === 'string';
  return isWhole ? (entry as unknown as CatalogEntry) : undefined;
}
