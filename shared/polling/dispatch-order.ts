// Which due feeds go first when not all can go. Pure; claims nothing.
import type { Feed } from './feed.ts';
import type { OwnerSpending } from './owner-share.ts';
import { isProbablyQuiet } from './rhythm.ts';
import { weightOf } from './weight.ts';

/** Every feed is at least this late, so that the weight counts at once and the wait soon. */
const leastLateMs = 60_000;

/** What a feed counts, of its weight, while its market is probably quiet: it waits first when calls are short. */
const quietShare = 0.1;

/**
 * Due feeds, the most urgent first: those never polled, then by weight and lateness together, so
 * that a light feed is not starved for ever. Equal ones by event, the same way each time. The learned
 * rhythm decides here, and only here, who waits when the rate limit does not allow every poll.
 */
export function orderByUrgency(due: readonly Feed[], now: number): Feed[] {
  const ranked = due.map((feed) => ({ feed, urgency: urgencyOf(feed, now) }));
  ranked.sort((a, b) => b.urgency - a.urgency || a.feed.eventId - b.feed.eventId);
  return ranked.map(({ feed }) => feed);
}

function urgencyOf(feed: Feed, now: number): number {
  if (feed.lastPolledAt === undefined) return Number.POSITIVE_INFINITY;
  const lateMs = Math.max(0, now - (feed.nextPollAt ?? now));
  const share = isProbablyQuiet(feed.rhythm, now) ? quietShare : 1;
  return share * feedWeight(feed, now) * (lateMs + leastLateMs);
}

/** The weight of a feed as it stands. */
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

/** The feeds that somebody wants whose share is not used up; feeds of many owners are shared. */
export function ownersWithin(due: readonly Feed[], { exhausted }: OwnerSpending): Feed[] {
  if (exhausted.size === 0) return [...due];
  return due.filter(
    ({ ownerIds }) => !ownerIds || ownerIds.some((ownerId) => !exhausted.has(ownerId)),
  );
}
