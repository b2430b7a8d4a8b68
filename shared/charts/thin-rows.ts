// Chooses the rows of a chart of several numbers: a number of rows that a chart can draw, with every extreme of
// every number. Each row has all numbers at one time, so what is kept for one number serves the others too.

/** All numbers at one time: epoch milliseconds, and a value for each number, null for none. */
export interface ChartRow {
  at: number;
  values: readonly (number | null)[];
}

const minuteMs = 60_000;
/** Spans of time: from the clock's minute to a quarter of a year, and everything. */
const widthsMs = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720],
  ...[1_440, 2_880, 5_760, 10_080, 20_160, 40_320, 131_040],
]
  .map((minutes) => minutes * minuteMs)
  .concat(Number.POSITIVE_INFINITY);

/** How many rows are enough for any time range of so many numbers. */
export function leastRows(numbers: number): number {
  return 3 * numbers + 2;
}

/**
 * At most `most` of the rows, in their order. In each span of time, the row of the lowest and of the highest value of
 * every number is kept, and the first without a value; of the whole range the first and the last row. The spans are
 * parts of the clock, as short as `most` allows, so that later rows don't change which earlier ones are kept.
 * @param rows oldest first, each time once, with equally many values.
 * @param most at least `leastRows` of the numbers.
 */
export function thinRows(rows: readonly ChartRow[], most: number): ChartRow[] {
  const moving = withoutRepeats(rows);
  if (moving.length <= most) return moving;
  for (const widthMs of widthsMs) {
    const kept = keptIn(moving, widthMs, most);
    if (kept) return kept;
  }
  return moving.slice(-most);
}

/** Without the rows between equal ones: a line through them is the same. */
function withoutRepeats(rows: readonly ChartRow[]): ChartRow[] {
  return rows.filter((row, index) => {
    const before = rows[index - 1];
    const after = rows[index + 1];
    return !before || !after || !areEqual(before, row) || !areEqual(row, after);
  });
}

function areEqual(a: ChartRow, b: ChartRow): boolean {
  return a.values.every((value, index) => value === b.values[index]);
}

/** @returns undefined if there are more than `most`. */
function keptIn(rows: readonly ChartRow[], widthMs: number, most: number): ChartRow[] | undefined {
  const kept = new Set<number>([0, rows.length - 1]);
  let start = 0;
  while (start < rows.length && kept.size <= most) {
    const end = endOfSpan(rows, start, widthMs);
    for (const index of extremesIn(rows, start, end)) kept.add(index);
    start = end;
  }
  if (kept.size > most) return undefined;
  return rows.filter((_, index) => kept.has(index));
}

/** The index of the first row after the span of a row. */
function endOfSpan(rows: readonly ChartRow[], start: number, widthMs: number): number {
  const span = spanOf(rows[start], widthMs);
  let end = start + 1;
  while (end < rows.length && spanOf(rows[end], widthMs) === span) end += 1;
  return end;
}

function spanOf(row: ChartRow | undefined, widthMs: number): number {
  return Math.floor((row?.at ?? 0) / widthMs);
}

/** The indexes of the lowest and the highest value of each number in [start, end), and of its first null. */
function extremesIn(rows: readonly ChartRow[], start: number, end: number): number[] {
  const numbers = rows[start]?.values.length ?? 0;
  const found: number[] = [];
  for (let number = 0; number < numbers; number += 1) {
    let [low, high, none] = [-1, -1, -1];
    for (let index = start; index < end; index += 1) {
      const value = rows[index]?.values[number] ?? null;
      if (value === null) {
        if (none < 0) none = index;
        continue;
      }
      if (low < 0 || value < valueAt(rows, low, number)) low = index;
      if (high < 0 || value > valueAt(rows, high, number)) high = index;
    }
    found.push(...[low, high, none].filter((index) => index >= 0));
  }
  return found;
}

function valueAt(rows: readonly ChartRow[], index: number, number: number): number {
  return rows[index]?.values[number] ?? 0;
}
