// Reads Retry-After as receivers write it: seconds, fractions of one, or an HTTP date.

/** A receiver may not hold a delivery back for longer than this. */
const longestMs = 24 * 3_600_000;

/**
 * The wait that a receiver asks for, in milliseconds.
 * @returns undefined for a header that says nothing usable, so that our own schedule decides.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1_000), longestMs);
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - now, 0), longestMs);
}
