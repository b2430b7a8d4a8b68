// All active feeds together: what the next pull of each is worth, when it has its turn, and a forecast of the cost.
import { decideNextPoll, freshFor, isOverslept, type NextPoll, outOfReachMs } from './cadence.ts';
import type { Feed } from './feed.ts';
import { feedKindRows } from './feed-kinds.ts';
import { naturalSpacing } from './pacing.ts';
import { gapOf } from './rhythm.ts';
import { alertsPerRefresh } from './value/feed-value.ts';
import type { LearningFeed } from './value/fleet-learning.ts';
import type { FleetLearning } from './value/learned.ts';
import { deviationAfter, variancesOf } from './value/price-memory.ts';
import {
  alertsBy,
  type PricedDemand,
  type PullTerms,
  priceDemand,
  rateAt,
  spacingAt,
} from './value/waiting.ts';
import { whyTurn } from './value/why-turn.ts';
import { waitingWeight } from './weight.ts';

/** The terms on which feeds have their turns. Times are epoch milliseconds. */
export interface TurnTerms extends PullTerms {
  freeWhenQuiet: boolean;
  learned: FleetLearning;
  now: number;
  /** A cap is used up until then; absent if none is. */
  notBefore?: number | undefined;
}

type DemandTerms = Pick<TurnTerms, 'freeWhenQuiet' | 'learned' | 'now'>;

/** The feeds that the fleet learns from. */
export function learningFeeds(feeds: readonly Feed[]): LearningFeed[] {
  return feeds.flatMap(({ value, rhythm, watches = 1 }) =>
    value ? [{ value, watches, gapMs: gapOf(rhythm) }] : [],
  );
}

/** What decides the next pull of a feed; listings out of reach count with their rare polls. */
export function demandOf(feed: Feed, { freeWhenQuiet, learned, now }: DemandTerms): PricedDemand {
  const { rhythm, value, isOutOfReach, latencySeconds, eventStartsAt } = feed;
  const wishedMs = Math.max(latencySeconds * 1_000, isOutOfReach ? outOfReachMs : 0);
  const gapMs = gapOf(rhythm);
  const rate = value?.rate ?? { alerts: 0, days: 0 };
  const watches = feed.watches ?? 1;
  return priceDemand({
    naturalMs: naturalSpacing(rhythm, wishedMs, freeWhenQuiet),
    gapMs,
    seenAt: rhythm.lastRefreshAt,
    endsAt: eventStartsAt ?? Number.POSITIVE_INFINITY,
    weight: waitingWeight({
      wishedMs,
      msToEvent: eventStartsAt === undefined ? null : eventStartsAt - now,
      isFinal: feedKindRows[feed.kind].isFinal,
    }),
    curve: (value?.curve ?? []).map((alerts) => alerts * learned.mix.levels),
    perRefresh: alertsPerRefresh({ rate }, { learned, watches, gapMs }) * learned.mix.rate,
  });
}

/** The next poll of a feed that has just been polled, or whose turn is looked at again. */
export function nextTurn(
  feed: Feed,
  terms: TurnTerms,
  demand: PricedDemand = demandOf(feed, terms),
): NextPoll {
  const { freeWhenQuiet, now, notBefore } = terms;
  const spacingMs = spacingAt(demand, terms);
  const isShort = spacingMs > 0 && demand.seenAt !== undefined;
  const next = decideNextPoll({
    ...{ now, wishedMs: feed.latencySeconds * 1_000, rhythm: feed.rhythm, failures: 0 },
    ...{ notBefore, freeWhenQuiet, isOutOfReach: feed.isOutOfReach },
    ...(isShort && { turnAt: (demand.seenAt ?? 0) + spacingMs }),
  });
  if (next.reason !== 'stretched_by_budget') return next;
  return { ...next, why: whyOf(feed, demand, { at: next.nextPollAt, ...terms }) };
}

function whyOf(
  { value, watches = 1 }: Feed,
  demand: PricedDemand,
  { at, now, learned }: { at: number; now: number; learned: FleetLearning },
): string {
  const refreshes = Math.max(1, (at - (demand.seenAt ?? now)) / demand.gapMs);
  const variances = value?.memory && variancesOf(value.memory, learned, demand.gapMs);
  return whyTurn({
    nearest: value?.nearest,
    deviation: variances ? deviationAfter(variances, refreshes) : 0,
    ...{ at, now, watches, alerts: alertsBy(demand, refreshes) },
  });
}

/** A smaller change does not justify a write; nor does one of less than a tenth of the wait. */
const worthMovingMs = 5 * 60_000;
const worthMovingShare = 0.1;

/**
 * The new time of a feed whose turn has moved: the price has changed, the feed was held until its data was old,
 * or the wait is longer than its cadence allows. Undefined if the time stays.
 */
export function movedTurn(
  feed: Feed,
  terms: TurnTerms,
  demand?: PricedDemand,
): NextPoll | undefined {
  const { now } = terms;
  if (feed.claim !== undefined) return undefined;
  if (feed.nextReason !== 'stretched_by_budget') {
    if (!isOverslept(feed, feed.latencySeconds * 1_000, now)) return undefined;
    return { nextPollAt: now, reason: 'wished_latency' };
  }
  const before = feed.nextPollAt ?? 0;
  // Dispatch may take it in this very minute, and its data is still new.
  if (before <= now && now - before <= freshFor(feed.rhythm)) return undefined;
  const next = nextTurn(feed, terms, demand);
  const nextPollAt = Math.max(now, next.nextPollAt);
  const leastMs = Math.max(worthMovingMs, worthMovingShare * (before - now));
  return Math.abs(nextPollAt - before) > leastMs ? { ...next, nextPollAt } : undefined;
}

/**
 * The pulls that a feed is expected to cost until a time, but not after its event starts.
 * @param until epoch milliseconds.
 */
export function forecastFeed(
  feed: Feed,
  { until, ...terms }: DemandTerms & PullTerms & { until: number },
): number {
  const end = Math.min(until, feed.eventStartsAt ?? until);
  return Math.max(0, end - terms.now) * rateAt(demandOf(feed, terms), terms);
}
