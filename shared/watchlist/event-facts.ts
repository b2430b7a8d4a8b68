// What is known of an event beyond its numbers; taken from search answers, never searched for by a poll.
import { type FormattedValue, item, number, string } from 'dynamodb-toolbox/schema';

export const eventFactsSchema = item({
  eventId: number().key(),
  name: string(),
  date: string().optional(),
  time: string().optional(),
  venueName: string().optional(),
  venueCity: string().optional(),
  /** Epoch milliseconds; absent while the venue's time zone is not known. */
  startsAt: number().optional(),
  updatedAt: number(),
});

export type EventFacts = FormattedValue<typeof eventFactsSchema>;

/**
 * When the event starts, epoch milliseconds; null while its date, time or zone is not known.
 */
export function startOf(facts: EventFacts | undefined): number | null {
  return facts?.startsAt ?? null;
}
