/**
 * Patterns of section and row names: single names, ranges in seat order, globs. Parses and matches them;
 * does not know listings.
 */

/** The form in which names are compared: without surrounding space, in upper case. */
export function normalizeSeatName(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toUpperCase();
}

const RANGE = /^(\d{1,6})\s*-\s*(\d{1,6})$|^([A-Z]{1,3})\s*-\s*([A-Z]{1,3})$/;
const NUMBER = /^\d{1,6}$/;
const LETTERS = /^[A-Z]{1,3}$/;

/**
 * Normalizes a pattern: `101`, `101-118`, `A-K`, `CLUB*`, `UPPER ?`. Null for an empty pattern or a range
 * that runs backwards.
 */
export function parseSeatPattern(text: string): string | null {
  const pattern = normalizeSeatName(text);
  if (pattern === '') return null;
  const range = RANGE.exec(pattern);
  if (!range) return NUMBER.test(pattern) ? String(Number(pattern)) : pattern;
  const from = normalizeEnd(range[1] ?? range[3] ?? '');
  const to = normalizeEnd(range[2] ?? range[4] ?? '');
  if (compareSeats(from, to) > 0) return null;
  return from === to ? from : `${from}-${to}`;
}

/**
 * Whether a name matches a normalized pattern. A range of numbers matches only numbers, a range of letters
 * only letters; in seat order AA follows Z.
 */
export function matchesSeatPattern(pattern: string, name: string): boolean {
  const seat = normalizeEnd(normalizeSeatName(name));
  const range = RANGE.exec(pattern);
  if (range) {
    const from = range[1] ?? range[3] ?? '';
    const to = range[2] ?? range[4] ?? '';
    if (NUMBER.test(from) !== NUMBER.test(seat)) return false;
    if (!NUMBER.test(seat) && !LETTERS.test(seat)) return false;
    return compareSeats(from, seat) <= 0 && compareSeats(seat, to) <= 0;
  }
  return matchesGlob(pattern, seat);
}

/** Shorter first, then by spelling: 9 before 10, Z before AA. */
function compareSeats(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function normalizeEnd(name: string): string {
  return NUMBER.test(name) ? String(Number(name)) : name;
}

/** `*` matches any characters, `?` any one. Backtracks only to the last star, so its time is bounded. */
function matchesGlob(pattern: string, name: string): boolean {
  let [p, n, starAt, resumeAt] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') {
      starAt = p;
      resumeAt = n;
      p += 1;
    } else if (pattern[p] === '?' || pattern[p] === name[n]) {
      p += 1;
      n += 1;
    } else if (starAt >= 0) {
      resumeAt += 1;
      n = resumeAt;
      p = starAt + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}

/**
 * Patterns sorted, without repeats, with adjacent number ranges joined, so that equal sets have equal lists.
 */
export function canonicalPatterns(patterns: readonly string[]): string[] {
  const ranges: [number, number][] = [];
  const others = new Set<string>();
  for (const pattern of patterns) {
    const numbers = /^(\d+)(?:-(\d+))?$/.exec(pattern);
    if (numbers) ranges.push([Number(numbers[1]), Number(numbers[2] ?? numbers[1])]);
    else others.add(pattern);
  }
  return [...joinRanges(ranges), ...[...others].sort()];
}

function joinRanges(ranges: [number, number][]): string[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}
