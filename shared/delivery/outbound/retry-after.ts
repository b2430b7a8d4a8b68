// Reads how long a receiver asks us to wait.

/** The longest wait that a receiver may ask for. */
const longestMs = 24 * 3_600_000;
/** The shortest wait: a receiver that answers "now" or a past date has still asked us to slow down. */
const shortestMs = 1_000;

type Header = string | string[] | undefined;

/**
 * The wait of a Retry-After header, in milliseconds: seconds, decimals allowed, or an HTTP date.
 * @returns undefined for an unusable header; then our own schedule decides.
 */
export function retryAfterMs(header: Header, now: number): number | undefined {
  if (Array.isArray(header)) return undefined;
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return boundedWaitMs(Number(text) * 1_000);
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : boundedWaitMs(at - now);
}

/** Limits the wait and rounds it up to whole seconds, because queues count seconds. */
export function boundedWaitMs(waitMs: number): number {
  const wholeMs = Math.ceil(waitMs / 1_000) * 1_000;
  return Math.min(Math.max(wholeMs, shortestMs), longestMs);
}
