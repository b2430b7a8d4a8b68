// Which watches the board shows, and in which order: chips, tags and words choose, all in the browser.
import type { ListedWatch } from '../../api/calls.ts';
import { dateIn } from '../../words/times.ts';
import { isNear } from './row-words.ts';

interface Today {
  now: number;
  zone: string;
}

/** The chips above the board; each counts the watches that it would show. */
export const chips = {
  all: { label: 'All', shows: () => true },
  near: { label: 'Near', shows: isNear },
  fired: { label: 'Fired today', shows: firedToday },
  trouble: { label: 'In trouble', shows: isInTrouble },
  paused: { label: 'Paused', shows: ({ status }: ListedWatch) => status === 'paused' },
} satisfies Record<string, { label: string; shows: (watch: ListedWatch, today: Today) => boolean }>;

export type ChipName = keyof typeof chips;
export const chipNames = Object.keys(chips) as ChipName[];

export interface Choice {
  chip: ChipName;
  tag: string;
  words: string;
}

/** The watches under a choice, in the given order. */
export function chooseRows(
  watches: readonly ListedWatch[],
  { chip, tag, words }: Choice,
  today: Today,
): ListedWatch[] {
  const wanted = folded(words).split(' ').filter(Boolean);
  return watches.filter(
    (watch) =>
      chips[chip].shows(watch, today) &&
      (tag === '' || watch.tags.includes(tag)) &&
      (wanted.length === 0 || hasWords(watch, wanted)),
  );
}

/** The tags of all watches, the most used first. */
export function tagsOf(watches: readonly ListedWatch[]): string[] {
  const uses = new Map<string, number>();
  for (const tag of watches.flatMap(({ tags }) => tags)) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  return [...uses].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([tag]) => tag);
}

/** The watches of each event together, events in the order of their first watch. */
export function byEvent(watches: readonly ListedWatch[]): ListedWatch[] {
  return [...Map.groupBy(watches, ({ event_id }) => event_id).values()].flat();
}

function firedToday({ standing }: ListedWatch, { now, zone }: Today): boolean {
  const at = standing?.last_alert?.fired_at;
  return at !== undefined && dateIn(Date.parse(at), zone) === dateIn(now, zone);
}

function isInTrouble({ trouble }: ListedWatch): boolean {
  return trouble.some(({ expected }) => !expected);
}

function hasWords(watch: ListedWatch, words: readonly string[]): boolean {
  const { event_name, venue_name, venue_city, name, tags } = watch;
  const text = folded([event_name, venue_name, venue_city, name, ...tags].join(' '));
  return words.every((word) => text.includes(word));
}

/** Without accents, in lower case. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
