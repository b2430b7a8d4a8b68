/** English lists, plurals, percents, thousands. Does not know rules. */

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a", "a and b", "a, b and c". */
export function listWords(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** "15%", "2.5%". */
export function percentWords(percent: number): string {
  return `${percent}%`;
}

/** "1,234,567", "0.5". */
export function groupThousands(value: number): string {
  if (Math.abs(value) < 1_000) return String(value);
  return String(value).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** "1 hour", "2 hours". */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

interface Sides {
  at_or_below?: number | undefined;
  at_or_above?: number | undefined;
}

/** "at or below 40". */
export function sideWords(
  { at_or_below, at_or_above }: Sides,
  format: (amount: number) => string,
): string {
  return at_or_below === undefined
    ? `at or above ${format(at_or_above ?? 0)}`
    : `at or below ${format(at_or_below)}`;
}
