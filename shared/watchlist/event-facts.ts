// What is known of an event beyond its numbers, and whether it is over. Where it comes from is
// catalog-facts.ts's business.

/** What is known of an event; a field is absent while the marketplace has not told it. */
export interface EventFacts {
  eventId: number;
  name: string;
  /** The local date, YYYY-MM-DD. */
  date?: string | undefined;
  /** The local time, HH:MM or HH:MM:SS. */
  time?: string | undefined;
  venueName?: string | undefined;
  venueCity?: string | undefined;
  performer?: string | undefined;
  /** The venue's IANA time zone. */
  timeZone?: string | undefined;
  /** Epoch milliseconds; absent while the venue's time zone is not known. */
  startsAt?: number | undefined;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/**
 * When the event starts, epoch milliseconds; null while its date, time or zone is not known.
 */
export function startOf(facts: EventFacts | undefined): number | null {
  return facts?.startsAt ?? null;
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
  return now > overAt(facts);
}

/** When the event is over for certain, epoch milliseconds; never while its date is not known. */
export function overAt({ startsAt, date }: Pick<EventFacts, 'startsAt' | 'date'>): number {
  if (startsAt !== undefined) return startsAt + longestEventMs;
  const day = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(day) ? Number.POSITIVE_INFINITY : day + dayEverywhereMs;
}
