/** The windows of rules: (t − window, t]. Reads no history. */

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const windowNames = ['1h', '6h', '24h', '7d', '30d'] as const;
export type WindowName = (typeof windowNames)[number];

/** `ever` is the whole known history of the event. */
export type SpanName = WindowName | 'ever';

const WINDOW_FACTS: Record<SpanName, { ms: number; words: string }> = {
  '1h': { ms: HOUR_MS, words: '1 hour' },
  '6h': { ms: 6 * HOUR_MS, words: '6 hours' },
  '24h': { ms: DAY_MS, words: '24 hours' },
  '7d': { ms: 7 * DAY_MS, words: '7 days' },
  '30d': { ms: 30 * DAY_MS, words: '30 days' },
  ever: { ms: Number.POSITIVE_INFINITY, words: 'ever' },
};

/** The longest window for which the stored history is exact. */
export const LONGEST_WINDOW = '30d' satisfies WindowName;

export function windowMs(window: SpanName): number {
  return WINDOW_FACTS[window].ms;
}

/** "24 hours". */
export function windowWords(window: SpanName): string {
  return WINDOW_FACTS[window].words;
}

export function isSpanName(name: string): name is SpanName {
  return Object.hasOwn(WINDOW_FACTS, name);
}
