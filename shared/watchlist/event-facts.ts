// The facts of an event other than its prices, and whether it is over. catalog-facts.ts reads the facts.

/** The facts of an event; a field is absent while the marketplace has not given it. */
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
  /** The event's id at Ticketmaster, for a link to its page. */
  tmEventId?: string | undefined;
  /** The venue's IANA time zone. */
  timeZone?: string | undefined;
  /** Epoch milliseconds; absent while the venue's time zone is not known. */
  startsAt?: number | undefined;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/**
 * When the event starts, epoch milliseconds; null while its date, time or time zone is unknown.
 */
export function startOf(facts: EventFacts | undefined): number | null {
  return facts?.startsAt ?? null;
}

/**
 * When polling of the event ends, epoch milliseconds: at its start, or when it is certainly over; null while
 * both are unknown.
 */
export function pollingEndOf(facts: EventFacts | undefined): number | null {
  const endsAt = facts ? (facts.startsAt ?? overAt(facts)) : Number.POSITIVE_INFINITY;
  return Number.isFinite(endsAt) ? endsAt : null;
}

/** No event lasts longer: its tickets are worthless by then, even if they are still listed. */
const longestEventMs = 6 * 3_600_000;
/** After this time the date has ended in every time zone. */
const dayEverywhereMs = 36 * 3_600_000;

/**
 * Whether the event is certainly over; false if its date is unknown.
 * @param now epoch milliseconds.
 */
export function isPast(facts: Pick<EventFacts, 'startsAt' | 'date'>, now: number): boolean {
  return now > overAt(facts);
}

/** When the event is certainly over, epoch milliseconds; Infinity while its date is unknown. */
export function overAt({ startsAt, date }: Pick<EventFacts, 'startsAt' | 'date'>): number {
  if (startsAt !== undefined) return startsAt + longestEventMs;
  const day = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(day) ? Number.POSITIVE_INFINITY : day + dayEverywhereMs;
}
