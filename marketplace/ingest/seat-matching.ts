/**
 * Matches `vs` seat labels with the zone and section that `sh` uses for the same seats of a venue
 * (api.md, Sales row, rule 4). A match gives both names; an ambiguous label matches nothing.
 */
import type { Store } from '../store/store.ts';

export interface SeatNames {
  zone: string;
  section: string;
}

export interface SeatMatcher {
  /**
   * Stores how `sh` names these seats of the venue, and matches the venue's unmatched sales again.
   */
  learn(venueId: number, seats: readonly SeatNames[]): void;
  /** The names that `sh` uses, or two empty strings without a single match. */
  match(venueId: number, seats: SeatNames): SeatNames;
  /** Clears the cache, because the latest names were rolled back. */
  forget(): void;
}

const unmatched: SeatNames = { zone: '', section: '' };

/**
 * Caches the venue's known sections and reloads them after another process (such as an import)
 * wrote to the store.
 */
export function createSeatMatcher(store: Store): SeatMatcher {
  const venues = new Map<number, Map<string, SeatNames>>();
  let version = store.foreignWrites();
  const known = (venueId: number): Map<string, SeatNames> => {
    const newest = store.foreignWrites();
    if (newest !== version) venues.clear();
    version = newest;
    const held = venues.get(venueId);
    if (held) return held;
    const rows = store.all<SeatNames>(
      'SELECT zone, section FROM venue_sections WHERE venue_id = ?',
      venueId,
    );
    const loaded = new Map(rows.map((row) => [keyOf(row), row]));
    venues.set(venueId, loaded);
    return loaded;
  };
  return {
    learn: (venueId, seats) => {
      const sections = known(venueId);
      const news = seats.filter(({ zone, section }) => {
        if (zone === '' || section === '' || sections.has(keyOf({ zone, section }))) return false;
        sections.set(keyOf({ zone, section }), { zone, section });
        return true;
      });
      for (const { zone, section } of news) {
        store.run('INSERT OR IGNORE INTO venue_sections VALUES (?, ?, ?)', venueId, zone, section);
      }
      if (news.length > 0) matchAgain(store, venueId, [...sections.values()]);
    },
    forget: () => venues.clear(),
    match: (venueId, seats) => matchSeats(seats, [...known(venueId).values()]),
  };
}

function keyOf({ zone, section }: SeatNames): string {
  return `${zone}\n${section}`;
}

/** Matches the venue's unmatched inferred sales against all sections known now. */
function matchAgain(store: Store, venueId: number, candidates: readonly SeatNames[]): void {
  const labels = store.all<{ eventId: number; section: string }>(
    `SELECT DISTINCT s.event_id AS eventId, s.section FROM events e
     JOIN sales s ON s.event_id = e.id AND s.source_rank = 0
     WHERE e.venue_id = ? AND s.norm_section = ''`,
    venueId,
  );
  for (const { eventId, section } of labels) {
    const names = matchSeats({ zone: '', section }, candidates);
    if (names.section === '') continue;
    store.run(
      `UPDATE sales SET norm_zone = ?, norm_section = ?
       WHERE event_id = ? AND source_rank = 0 AND section = ? AND norm_section = ''`,
      names.zone,
      names.section,
      eventId,
      section,
    );
  }
}

/** The only `sh` name whose section, and zone if the label tells it, agree with the label. */
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
