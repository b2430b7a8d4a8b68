// What a search for events asks: words and dates in any order, and filters; and whether an event is meant.
import { type AskedDate, dateInWord, fitsDate, takeDates } from './asked-date.ts';
import { foldText, hasWord, searchText, wordsOf } from './fold-text.ts';

/** A word that must be found, in the event's texts or, if it may be a month or a year, in its date. */
export interface AskedWord {
  /** Folded (fold-text.ts). */
  word: string;
  /** As it was typed, in lower case and composed form. */
  typed: string;
  date?: AskedDate | undefined;
}

/** A parsed search. */
export interface EventQuestion {
  words: AskedWord[];
  dates: AskedDate[];
  performer: AskedWord[];
  venue: AskedWord[];
  city: AskedWord[];
  /** The first and the last date, YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
}

/** A search as it is sent. */
export interface AskedEvents {
  query: string;
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  date?: string | undefined;
  performer?: string | undefined;
  venue?: string | undefined;
  city?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The texts in which an event is found. */
export interface SearchableEvent {
  event_name: string;
  event_date: string;
  performer?: string | null | undefined;
  tour_name?: string | null | undefined;
  venue_name?: string | null | undefined;
  venue_city?: string | null | undefined;
  venue_state?: string | null | undefined;
}

/** Words that names spell differently or leave out; they count only in a search that has no other. */
const smallWords = new Set([
  ...['a', 'an', 'and', 'at', 'for', 'in', 'of', 'on', 'the', 'to', 'v', 'versus', 'vs', 'with'],
  ...['ticket', 'tickets'],
]);

/** Parses a search. */
export function readQuestion(asked: AskedEvents): EventQuestion {
  const { dates, rest } = takeDates(asked.query.normalize('NFC').toLowerCase());
  const all = wordsIn(rest);
  const large = all.filter(({ word }) => !smallWords.has(word));
  const words = large.length > 0 || dates.length > 0 ? large : all;
  const [year, month, day] = (asked.date ?? '').split('-').map(Number);
  return {
    words: words.map((each) => ({ ...each, date: dateInWord(each.word) })),
    dates: asked.date ? [...dates, { year, month, day }] : dates,
    performer: wordsIn(asked.performer),
    venue: wordsIn(asked.venue),
    city: wordsIn(asked.city),
    from: asked.from,
    to: asked.to,
  };
}

function wordsIn(text = ''): AskedWord[] {
  return wordsOf(text.normalize('NFC').toLowerCase()).flatMap((typed) => {
    const word = foldText(typed);
    return word === '' ? [] : [{ word, typed }];
  });
}

/**
 * Whether the event has every word, date and filter that is asked for.
 * @param text the event's `textOf`; a caller that asks often keeps it.
 */
export function isMeant(
  question: EventQuestion,
  event: SearchableEvent,
  text: () => string = () => textOf(event),
): boolean {
  const { event_date: date, event_name, performer, venue_name, venue_city, venue_state } = event;
  const { words, from = date, to = date } = question;
  if (date < from || date > to) return false;
  if (!question.dates.every((asked) => fitsDate(date, asked))) return false;
  return (
    hasWords(words, date, text) &&
    hasWords(question.venue, date, () => searchText([venue_name])) &&
    hasWords(question.city, date, () => searchText([venue_city, venue_state])) &&
    hasWords(question.performer, date, () => searchText([event_name, performer]))
  );
}

/** Every text of an event, for `hasWord`. */
export function textOf(event: SearchableEvent): string {
  return searchText([
    ...[event.event_name, event.performer, event.tour_name],
    ...[event.venue_name, event.venue_city, event.venue_state],
  ]);
}

function hasWords(words: readonly AskedWord[], date: string, read: () => string): boolean {
  if (words.length === 0) return true;
  const text = read();
  return words.every(
    ({ word, date: asked }) =>
      hasWord(text, word) || (asked !== undefined && fitsDate(date, asked)),
  );
}
