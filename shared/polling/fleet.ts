// All active feeds together: the demand of each, how far their spacings must be stretched so that neither cap
// is reached too early, and a forecast of the cost.
import { affordableRate, type Budget, type Caps } from './budget.ts';
import { decideNextPoll, isOverslept, outOfReachMs } from './cadence.ts';
import { feedWeight } from './dispatch-order.ts';
import type { Feed } from './feed.ts';
import {
  type Demand,
  expectedPulls,
  naturalSpacing,
  planSpacingScale,
  spacingOf,
} from './pacing.ts';

/** The demand of every active feed; `now` is epoch milliseconds. */
export function demandsOf(feeds: readonly Feed[], freeWhenQuiet: boolean, now: number): Demand[] {
  return feeds.map((feed) => demandOf(feed, freeWhenQuiet, now));
}

/** The demand of one feed; listings out of reach count with their rare polls. */
export function demandOf(feed: Feed, freeWhenQuiet: boolean, now: number): Demand {
  const wishedMs = Math.max(feed.latencySeconds * 1_000, feed.isOutOfReach ? outOfReachMs : 0);
  const naturalMs = naturalSpacing(feed.rhythm, wishedMs, freeWhenQuiet);
  return { naturalMs, weight: feedWeight(feed, now) };
}

/** The stretch that the budget requires, in milliseconds; 0 while the demand fits. */
export function paceFleet(
  demands: readonly Demand[],
  { budget, caps, now }: { budget: Budget; caps: Caps; now: number },
): number {
  return Math.round(planSpacingScale(demands, affordableRate(budget, caps, now)));
}

/** A smaller change does not justify a write. */
const worthMovingMs = 5 * 60_000;

/**
 * The new time of a feed that waits too long: the stretch has become shorter, or the wait is longer than its
 * cadence allows. Undefined if the time stays.
 */
export function earlierTurn(
  feed: Feed,
  pacing: { freeWhenQuiet: boolean; stretchMs: number; now: number },
): number | undefined {
  if (feed.claim !== undefined) return undefined;
  if (feed.nextReason !== 'stretched_by_budget') {
    return isOverslept(feed, feed.latencySeconds * 1_000, pacing.now) ? pacing.now : undefined;
  }
  const demand = demandOf(feed, pacing.freeWhenQuiet, pacing.now);
  const next = decideNextPoll({
    now: pacing.now,
    wishedMs: feed.latencySeconds * 1_000,
    rhythm: feed.rhythm,
    failures: 0,
    lastPaidAt: feed.lastPaidAt,
    spacingMs: spacingOf(demand, pacing.stretchMs),
    freeWhenQuiet: pacing.freeWhenQuiet,
    isOutOfReach: feed.isOutOfReach,
  });
  const at = Math.max(pacing.now, next.nextPollAt);
  return at < (feed.nextPollAt ?? 0) - worthMovingMs ? at : undefined;
}

/**
 * The pulls that a feed is expected to cost until a time, but not after its event starts.
 * @param until epoch milliseconds.
 */
export function forecastFeed(
  feed: Feed,
  pacing: { freeWhenQuiet: boolean; stretchMs: number; now: number; until: number },
): number {
  const end = Math.min(pacing.until, feed.eventStartsAt ?? pacing.until);
  return expectedPulls(
    demandOf(feed, pacing.freeWhenQuiet, pacing.now),
    pacing.stretchMs,
    end - pacing.now,
  );
}
