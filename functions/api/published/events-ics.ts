// The watched events as a calendar (RFC 5545).
import { eventNameText, venueText } from '#shared/delivery/message/event-text.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type CurrentWatch, createCurrentStatus } from '../watches/current-status.ts';
import type { PublishedView } from './view.ts';

/** A calendar needs an end, and the marketplace gives none. */
const usualEventMs = 3 * 3_600_000;

export const eventsIcs: PublishedView = {
  summary: 'The watched events as a calendar; an event without a known date is left out',
  type: 'text/calendar; charset=utf-8',
  async write({ stores }, { ownerId, now }) {
    const watches = await createCurrentStatus(stores)(await stores.watches.listAll(ownerId), now);
    // Imported here because only this view needs it.
    const { default: ical } = await import('ical-generator');
    const calendar = ical({
      name: 'Watched events',
      prodId: { company: 'Getin', product: 'Getin' },
    });
    for (const [eventId, own] of Map.groupBy(watches, (watch) => watch.eventId)) {
      const time = timeOf(own[0]?.facts);
      if (!time) continue;
      calendar.createEvent({
        id: `${eventId}@getin`,
        stamp: new Date(now),
        ...time,
        ...wordsOf(own),
      });
    }
    return calendar.toString();
  },
};

/** The start where the venue's time zone is known; else the local time of any zone, or the whole day. */
function timeOf(facts: EventFacts | undefined) {
  if (!facts) return undefined;
  if (facts.startsAt !== undefined) return lasting(new Date(facts.startsAt));
  if (facts.date === undefined) return undefined;
  const local = new Date(`${facts.date}T${facts.time ?? '00:00'}Z`);
  if (facts.time !== undefined && !Number.isNaN(local.getTime())) {
    return { ...lasting(local), floating: true };
  }
  const day = new Date(`${facts.date}T00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : { start: day, allDay: true };
}

function lasting(start: Date) {
  return { start, end: new Date(start.getTime() + usualEventMs) };
}

function wordsOf(watches: readonly CurrentWatch[]) {
  const [{ facts, eventId } = { facts: undefined, eventId: 0 }] = watches;
  const location = venueText(facts?.venueName, facts?.venueCity);
  return {
    summary: eventNameText(facts?.name, eventId),
    ...(location !== undefined && { location }),
    description: watches.flatMap(linesOf).join('\n'),
  };
}

function linesOf({ name, rules }: Watch): string[] {
  const sentences = rules.flatMap(({ rule }) => {
    try {
      return [nameText(ruleSentence(rule), 1_000)];
    } catch {
      // A damaged rule has no sentence; its watch shows the trouble.
      return [];
    }
  });
  return name === undefined ? sentences : sentences.map((line) => `${nameText(name)}: ${line}`);
}
