// When a feed is polled next. Pure: time and history come in, a time and its reason go out.
import type { Feed } from './feed.ts';

export type PollOutcome = 'polled' | 'failed' | 'not_found';

export interface NextPoll {
  nextPollAt: number;
  reason: 'wished_latency' | 'backoff';
}

/** The first wait after a failure; it doubles with each further one. */
const firstBackoffMs = 30_000;
/** A feed that keeps failing is still tried twice an hour, so that it recovers by itself. */
const longestBackoffMs = 30 * 60_000;

/**
 * The next poll of an active feed.
 * @param feed the feed with `failures` already counting this poll.
 * @param now epoch milliseconds.
 */
export function decideNextPoll(
  feed: Pick<Feed, 'latencySeconds' | 'failures'>,
  now: number,
): NextPoll {
  const wishedMs = feed.latencySeconds * 1_000;
  if (feed.failures === 0) return { nextPollAt: now + wishedMs, reason: 'wished_latency' };
  const backoffMs = Math.min(firstBackoffMs * 2 ** (feed.failures - 1), longestBackoffMs);
  return { nextPollAt: now + Math.max(wishedMs, backoffMs), reason: 'backoff' };
}
