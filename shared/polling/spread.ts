// Spreads the pulls of a short budget over the day: how many may be taken together, and by which feeds. Pure.
import type { Budget, Caps } from './budget.ts';
import { looksFirst } from './dispatch-order.ts';
import type { Feed } from './feed.ts';

const dayMs = 86_400_000;
const fiveMinutesMs = 5 * 60_000;

/** Runs of dispatch whose pulls count together. One more than fit into five minutes, as a poll may start late. */
export const runsTogether = 6;
/** Five minutes hold at most this many times their even share of a day's pulls. */
const mostShares = 3;
/** In a small account a share is less than a pull. */
const leastPulls = 4;
/** How far first looks may be ahead of an even day, as a part of it: an import must not buy the whole day at once. */
const aheadShare = 0.25;

/** How many pulls may be taken in five minutes while the budget is short. */
export function pullsTogether(budget: Budget, caps: Caps): number {
  return Math.max(leastPulls, Math.floor(mostShares * evenPerMs(budget, caps) * fiveMinutesMs));
}

function evenPerMs({ periodStart, periodEnd }: Budget, { daily, monthly }: Caps): number {
  return Math.min(daily / dayMs, monthly / Math.max(periodEnd - periodStart, dayMs));
}

/** What may be taken now. */
export interface SpreadRoom {
  /** Pulls left of the five minutes. */
  pulls: number;
  /** First looks that may be taken beyond them, because the day's spending allows it. */
  firstLooks: number;
}

/** The room for pulls when so many were taken by the last runs. */
export function spreadRoom(
  budget: Budget,
  caps: Caps,
  o: { taken: number; now: number },
): SpreadRoom {
  const elapsed = o.now - budget.dayStart + aheadShare * dayMs;
  const ahead = Math.floor(evenPerMs(budget, caps) * elapsed - budget.dayCommitted);
  return {
    pulls: Math.max(0, pullsTogether(budget, caps) - o.taken),
    firstLooks: Math.max(0, ahead),
  };
}

/**
 * Whether a feed waits for room: all do while the budget is short, and afterwards those that it held until now. A first
 * look always does, because the plan may be older than an import.
 */
export function waitsForRoom(
  feed: Feed,
  { isShort, heldAt = 0 }: { isShort: boolean; heldAt?: number | undefined },
): boolean {
  return isShort || looksFirst(feed) || (feed.nextPollAt ?? 0) <= heldAt;
}

/**
 * The feeds that may be polled now. First looks come first; then the others in the given order; of those that wait,
 * last the ones that found nothing since their newest refresh. Their look is probably free again, but it needs room
 * until that is known: they fill half of it, so that the turns of another kind, in a run of the same minute, have some.
 */
export function withinRoom(
  due: readonly Feed[],
  { pulls, firstLooks }: SpreadRoom,
  waits: (feed: Feed) => boolean,
): Feed[] {
  const roomOf = [Math.max(pulls, firstLooks), pulls, Math.floor(pulls / 2)];
  const ranked = due.map((feed) => ({ feed, waits: waits(feed), rank: rankOf(feed) }));
  ranked.sort((a, b) => (a.waits ? a.rank : 1) - (b.waits ? b.rank : 1));
  let taken = 0;
  const within = ranked.filter(({ waits, rank }) => {
    if (!waits) return true;
    const hasRoom = taken < (roomOf[rank] ?? 0);
    if (hasRoom) taken += 1;
    return hasRoom;
  });
  return within.map(({ feed }) => feed);
}

function rankOf(feed: Feed): number {
  if (looksFirst(feed)) return 0;
  return feed.rhythm.quietAt === undefined ? 1 : 2;
}
