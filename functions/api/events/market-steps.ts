// Which searches of the marketplace can find what a search asks for. The marketplace takes one part of a name,
// a venue or a city, so one word is sent, and the other words are looked for in its answer.
import type { SearchFilter } from '#shared/marketplace/search.ts';
import { datePrefix } from '#shared/watchlist/asked-date.ts';
import type { AskedWord, EventQuestion } from '#shared/watchlist/event-question.ts';

const fields = ['eventName', 'venueName', 'venueCity'] as const;

/**
 * The filters to ask with, in order: the first that finds an event answers.
 * @param today YYYY-MM-DD
 */
export function marketSteps(question: EventQuestion, today: string): SearchFilter[] {
  const filters = {
    eventDate: longest(datesToAsk(question, today)),
    eventName: wordToAsk(question.performer),
    venueName: wordToAsk(question.venue),
    venueCity: wordToAsk(question.city),
  };
  const word = wordToAsk(question.words.filter(({ date }) => date === undefined));
  const free = fields.filter((field) => filters[field] === undefined);
  if (word === undefined || free.length === 0) return [filters];
  return free.map((field) => ({ ...filters, [field]: word }));
}

function datesToAsk({ dates, words, from, to }: EventQuestion, today: string): string[] {
  const asked = [...dates, ...words.flatMap(({ date }) => date ?? [])];
  const isDay = from !== undefined && from === to;
  return [...asked.map((date) => datePrefix(date, today) ?? ''), isDay ? from : ''];
}

/** The longest word finds the fewest others. */
function wordToAsk(words: readonly AskedWord[]): string | undefined {
  const word = words.reduce<AskedWord | undefined>(
    (kept, each) => (kept && kept.word.length >= each.word.length ? kept : each),
    undefined,
  );
  return word && partToAsk(word);
}

/** Enough letters to find a name, and few enough to end before most accents: "beyon". */
const lettersAsked = 5;
const leastLetters = 4;

/**
 * The part of a word that the marketplace finds in every Unicode form: plain letters, if there are enough.
 * Other words are sent in composed form, as catalogs usually write them.
 */
function partToAsk({ typed }: AskedWord): string {
  const plain = longest(typed.normalize('NFD').match(/[a-z0-9]+(?!\p{M})/gu) ?? []) ?? '';
  const isPlain = plain.length >= leastLetters || plain === typed;
  return isPlain ? plain.slice(0, lettersAsked) : typed;
}

function longest(texts: readonly string[]): string | undefined {
  const text = texts.reduce((kept, each) => (each.length > kept.length ? each : kept), '');
  return text === '' ? undefined : text;
}
