// Orders the due feeds by urgency, for when not all can be polled. Pure; claims nothing.
import type { Feed } from './feed.ts';
import type { OwnerSpending } from './owner-share.ts';
import { isProbablyQuiet } from './rhythm.ts';
import { weightOf } from './weight.ts';

/** Every feed counts as at least this late, so that the weight matters at once and the wait matters soon. */
const leastLateMs = 60_000;

/**
 * The factor on a feed's weight while its market is probably quiet, so it waits first when calls are short.
 */
const quietShare = 0.1;

/**
 * Due feeds, the most urgent first: feeds never polled, then by weight times lateness, so that a light feed
 * does not wait forever. Ties are ordered by event id. When the rate limit does not allow every poll, the
 * learned rhythm influences the order; it does so nowhere else.
 */
export function orderByUrgency(due: readonly Feed[], now: number): Feed[] {
  const ranked = due.map((feed) => ({ feed, urgency: urgencyOf(feed, now) }));
  ranked.sort((a, b) => b.urgency - a.urgency || a.feed.eventId - b.feed.eventId);
  return ranked.map(({ feed }) => feed);
}

function urgencyOf(feed: Feed, now: number): number {
  if (feed.lastPolledAt === undefined) return Number.POSITIVE_INFINITY;
  const lateMs = now - (feed.nextPollAt ?? now);
  const share = isProbablyQuiet(feed.rhythm, now) ? quietShare : 1;
  return share * feedWeight(feed, now) * (lateMs + leastLateMs);
}

/** The current weight of a feed. */
export function feedWeight(
  feed: Pick<Feed, 'latencySeconds' | 'distance' | 'eventStartsAt' | 'watches'>,
  now: number,
): number {
  return weightOf({
    wishedMs: feed.latencySeconds * 1_000,
    distance: feed.distance ?? null,
    msToEvent: feed.eventStartsAt === undefined ? null : feed.eventStartsAt - now,
    watches: feed.watches ?? 1,
  });
}

/** The feeds with an owner whose share is not used up; feeds without `ownerIds` (many owners) stay. */
export function ownersWithin(due: readonly Feed[], { exhausted }: OwnerSpending): Feed[] {
  if (exhausted.size === 0) return [...due];
  return due.filter(
    ({ ownerIds }) => !ownerIds || ownerIds.some((ownerId) => !exhausted.has(ownerId)),
  );
}

/** Whether a new watch asks for a look since the feed's last poll. */
export function looksFirst({ watchersChangedAt, lastPolledAt = 0 }: Feed): boolean {
  return watchersChangedAt > lastPolledAt;
}
