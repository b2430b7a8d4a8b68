// Shortens the texts and lists of a webhook's payload that would be too large, and marks it as truncated: a name
// from the market may be hostile, and a rule may name twenty zones.
import { fitInto, utf8Bytes } from './plain-text.ts';

/** The most bytes of each text and rows of each list, from mild to hard. */
const steps = [
  { textBytes: 1_000, rows: 50 },
  { textBytes: 300, rows: 50 },
  { textBytes: 120, rows: 20 },
  { textBytes: 60, rows: 10 },
  { textBytes: 60, rows: 5 },
  { textBytes: 40, rows: 0 },
] as const;
type Step = (typeof steps)[number];

/** Ids, addresses and times are useless in part, and short. */
const isKept = /(^id|_id|_url|_at)$/;

/**
 * A payload within a size as JSON: unchanged if it fits, else with its texts cut, its lists shortened, and
 * `truncated: true`. The hardest step leaves some 2 KB of an alert, whatever the size.
 */
export function shortenTo<Payload extends object>(
  payload: Payload,
  mostBytes: number,
): Payload & { truncated?: boolean | undefined } {
  if (mostBytes === Number.POSITIVE_INFINITY) return payload;
  let fitting: Payload & { truncated?: boolean | undefined } = payload;
  for (const step of steps) {
    if (jsonBytes(fitting) <= mostBytes) break;
    fitting = { ...(shortenValue(payload, step) as Payload), truncated: true };
  }
  return fitting;
}

function shortenValue(value: unknown, step: Step): unknown {
  if (typeof value === 'string') {
    return fitInto(value, { limit: step.textBytes, measure: (text) => jsonBytes(text) - 2 });
  }
  if (Array.isArray(value)) return value.slice(0, step.rows).map((row) => shortenValue(row, step));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isKept.test(name) ? field : shortenValue(field, step),
    ]),
  );
}

function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
