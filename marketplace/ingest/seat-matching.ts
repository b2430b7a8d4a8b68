/**
 * Matches `vs` seat labels with the zone and section that `sh` uses for the same seats of a venue
 * (api.md, Sales row, rule 4). A match names both or nothing; a guess between two is nothing.
 */
import type { Store } from '../store/store.ts';

export interface SeatNames {
  zone: string;
  section: string;
}

export interface SeatMatcher {
  /** Remembers that `sh` names these seats of the venue so. */
  learn(venueId: number, seats: SeatNames): void;
  /** Names used by `sh`, or both empty when there is no single match. */
  match(venueId: number, seats: SeatNames): SeatNames;
}

const unmatched: SeatNames = { zone: '', section: '' };

/** Keeps the venue's known sections in memory beside their rows in the store. */
export function createSeatMatcher(store: Store): SeatMatcher {
  const venues = new Map<number, Map<string, SeatNames>>();
  const known = (venueId: number): Map<string, SeatNames> => {
    const held = venues.get(venueId);
    if (held) return held;
    const rows = store.all<SeatNames>(
      'SELECT zone, section FROM venue_sections WHERE venue_id = ?',
      venueId,
    );
    const loaded = new Map(rows.map((row) => [`${row.zone}\n${row.section}`, row]));
    venues.set(venueId, loaded);
    return loaded;
  };
  return {
    learn: (venueId, { zone, section }) => {
      if (zone === '' || section === '') return;
      const sections = known(venueId);
      if (sections.has(`${zone}\n${section}`)) return;
      store.run('INSERT OR IGNORE INTO venue_sections VALUES (?, ?, ?)', venueId, zone, section);
      sections.set(`${zone}\n${section}`, { zone, section });
    },
    match: (venueId, seats) => matchSeats(seats, [...known(venueId).values()]),
  };
}

/** The one `sh` naming whose section, and zone where the label tells it, agree with the label. */
export function matchSeats(seats: SeatNames, candidates: readonly SeatNames[]): SeatNames {
  const label = tokensOf(`${seats.zone} ${seats.section}`);
  if (label.length === 0) return unmatched;
  const bySection = candidates.filter((c) => endsWith(label, tokensOf(c.section)));
  const exact = bySection.filter((c) => {
    const zone = tokensOf(c.zone).join(' ');
    const rest = label.slice(0, label.length - tokensOf(c.section).length).join(' ');
    return rest === '' || rest === zone;
  });
  const [only, second] = exact;
  return only && !second ? { zone: only.zone, section: only.section } : unmatched;
}

const noise = new Set(['section', 'sec', 'zone', 'the']);

function tokensOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !noise.has(word));
}

function endsWith(label: readonly string[], tail: readonly string[]): boolean {
  if (tail.length === 0 || tail.length > label.length) return false;
  const from = label.length - tail.length;
  return tail.every((word, index) => label[from + index] === word);
}
