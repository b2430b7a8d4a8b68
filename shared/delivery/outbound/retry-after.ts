// Reads how long a receiver asks us to wait, in each of the ways that receivers write it.

/** A receiver may not hold a delivery back for longer than this. */
const longestMs = 24 * 3_600_000;
/** No wait is shorter: a receiver that says "now" or names a past date has still asked us to slow down. */
const shortestMs = 1_000;

type Header = string | string[] | undefined;

/**
 * The wait of a Retry-After header, in milliseconds: seconds, fractions of one, or an HTTP date.
 * @returns undefined for a header that says nothing usable, so that our own schedule decides.
 */
export function retryAfterMs(header: Header, now: number): number | undefined {
  if (Array.isArray(header)) return undefined;
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1_000);
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

/**
 * The wait that Discord asks for: `retry_after` of its JSON, in seconds; without one, the header that
 * tells when the bucket refills. Its Retry-After is not read, since it has come in milliseconds (B66).
 */
export function discordRetryAfterMs(
  body: string,
  headers: Record<string, Header>,
): number | undefined {
  const seconds = secondsIn(body) ?? Number(headers['x-ratelimit-reset-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? bounded(seconds * 1_000) : undefined;
}

function secondsIn(body: string): number | undefined {
  try {
    const { retry_after: seconds } = JSON.parse(body) as { retry_after?: unknown };
    return typeof seconds === 'number' ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** In whole seconds, rounded up, as queues count them. */
function bounded(waitMs: number): number {
  const wholeMs = Math.ceil(waitMs / 1_000) * 1_000;
  return Math.min(Math.max(wholeMs, shortestMs), longestMs);
}
