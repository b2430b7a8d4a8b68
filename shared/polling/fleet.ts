// The fleet of active feeds as the budget sees it: what each asks for, how far all must be stretched so
// that neither cap is reached before its time, and what will have been spent by then.
import { affordableRate, type Budget, type Caps } from './budget.ts';
import { decideNextPoll, isOverslept, outOfReachMs } from './cadence.ts';
import { feedWeight } from './dispatch-order.ts';
import type { Feed } from './feed.ts';
import { type Demand, expectedPulls, naturalSpacing, planStretch, spacingOf } from './pacing.ts';

/** What every active feed asks for; `now` is epoch milliseconds. */
export function demandsOf(feeds: readonly Feed[], freeWhenQuiet: boolean, now: number): Demand[] {
  return feeds.map((feed) => demandOf(feed, freeWhenQuiet, now));
}

/** What one feed asks for; listings that are out of reach, as rarely as they are looked at. */
export function demandOf(feed: Feed, freeWhenQuiet: boolean, now: number): Demand {
  const wishedMs = Math.max(feed.latencySeconds * 1_000, feed.isOutOfReach ? outOfReachMs : 0);
  const naturalMs = naturalSpacing(feed.rhythm, wishedMs, freeWhenQuiet);
  return { naturalMs, weight: feedWeight(feed, now) };
}

/** The stretch that the budget asks for, in milliseconds; 0 while the demand fits. */
export function paceFleet(
  demands: readonly Demand[],
  { budget, caps, now }: { budget: Budget; caps: Caps; now: number },
): number {
  return Math.round(planStretch(demands, affordableRate(budget, caps, now)));
}

/** A change by less is not worth a write. */
const worthMovingMs = 5 * 60_000;

/**
 * When a feed should be polled that waits for too long: for its turn under a stretch that has become
 * shorter since, or beyond every wait that its cadence could ask for. Undefined while it may stay where
 * it is.
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
 * Pulls that a feed is expected to cost until a time, no further than its event.
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
