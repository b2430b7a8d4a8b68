// What the fleet has learned about prices and alerts, from the evidence that its feeds keep. Bounded, and never far
// from the prior while little is known. Pure; reconcile alone stores it.
import type { FeedValue } from './feed-value.ts';
import type { FleetLearning } from './learned.ts';
import { moveSpans, type UsualMoves } from './price-memory.ts';
import { prior } from './prior.ts';

export const priorLearning: FleetLearning = { ...prior, growth: [...prior.growth] };

/** A feed's value, the number of its watches, and the time between its refreshes. */
export interface LearningFeed {
  value: FeedValue;
  watches: number;
  gapMs: number;
}

const dayMs = 86_400_000;
/** The prior counts as so much evidence: expected alerts, watch days, feeds. */
const priorAlerts = 10;
const priorWatchDays = 30;
const priorFeeds = 3;
/** One run moves the numbers by at most this part of the way, so that a fault of an hour hardly shows. */
const speed = 0.05;

/** The numbers after one more run of reconcile. A repeated run moves them a little further. */
export function learnFromFleet(
  before: FleetLearning,
  feeds: readonly LearningFeed[],
): FleetLearning {
  const target = learnedFrom(feeds);
  const toward = (from: number, to: number) => from + speed * (to - from);
  return {
    alertsPerWatchDay: toward(before.alertsPerWatchDay, target.alertsPerWatchDay),
    variancePerDay: toward(before.variancePerDay, target.variancePerDay),
    growth: target.growth.map((each, index) => toward(before.growth[index] ?? each, each)),
    explained: toward(before.explained, target.explained),
    mix: {
      levels: toward(before.mix.levels, target.mix.levels),
      rate: toward(before.mix.rate, target.mix.rate),
    },
  };
}

function learnedFrom(feeds: readonly LearningFeed[]): FleetLearning {
  const total = (of: (feed: LearningFeed) => number) =>
    feeds.reduce((sum, feed) => sum + of(feed), 0);
  const share = (came: number, promised: number, usual: number) =>
    within(0.05, 2, (came + priorAlerts * usual) / (promised + priorAlerts));
  const watchDays = total(({ value, watches }) => value.rate.days * Math.max(1, watches));
  return {
    alertsPerWatchDay: within(
      0.001,
      20,
      (total(({ value }) => value.rate.alerts) + priorWatchDays * prior.alertsPerWatchDay) /
        (watchDays + priorWatchDays),
    ),
    ...movesOf(feeds),
    explained: explainedOf(total),
    mix: {
      levels: share(
        total(({ value }) => value.evidence.byLevels),
        total(({ value }) => value.evidence.ofLevels),
        prior.mix.levels,
      ),
      rate: share(
        total(({ value }) => value.evidence.byRate),
        total(({ value }) => value.evidence.ofRate),
        prior.mix.rate,
      ),
    },
  };
}

function explainedOf(total: (of: (feed: LearningFeed) => number) => number): number {
  const byLevels = total(({ value }) => value.evidence.byLevels);
  const byRate = total(({ value }) => value.evidence.byRate);
  return (byLevels + priorAlerts * prior.explained) / (byLevels + byRate + priorAlerts);
}

/**
 * How much longer than the mean of all feeds a feed may wait for its turn. The less the levels explain, the less the
 * expected waiting can be trusted, and the more evenly turns are given.
 */
export function trustOf({ explained }: FleetLearning): number {
  return 1.25 + 1.25 * explained;
}

/** The mean of the logarithms, so that one wild event does not rule the fleet. */
function movesOf(feeds: readonly LearningFeed[]): UsualMoves {
  const spanVariance = ({ value: { memory } }: LearningFeed, index: number) =>
    memory === undefined || (memory.counts[index] ?? 0) < 1
      ? undefined
      : Math.max(1e-10, (memory.squares[index] ?? 0) / (memory.counts[index] ?? 1));
  const usual = (usually: number, measured: readonly (number | undefined)[], most: number) => {
    const known = measured.filter((each) => each !== undefined);
    const logs = known.reduce((sum, each) => sum + Math.log(each), 0);
    const log = (logs + priorFeeds * Math.log(usually)) / (known.length + priorFeeds);
    return within(usually / most, usually * most, Math.exp(log));
  };
  const perDay = feeds.map((feed) => {
    const variance = spanVariance(feed, 0);
    return variance === undefined ? undefined : (variance * dayMs) / feed.gapMs;
  });
  const growthAt = (index: number) =>
    feeds.map((feed) => {
      const [short, long] = [spanVariance(feed, index), spanVariance(feed, index + 1)];
      return short === undefined || long === undefined ? undefined : long / short;
    });
  return {
    variancePerDay: usual(prior.variancePerDay, perDay, 100),
    growth: moveSpans
      .slice(1)
      .map((_, index) => within(1, 5, usual(prior.growth[index] ?? 1, growthAt(index), 5))),
  };
}

function within(least: number, most: number, value: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Whether a stored value has this form. */
export function isFleetLearning(value: unknown): value is FleetLearning {
  const { alertsPerWatchDay, variancePerDay, growth, mix, explained } = Object(
    value,
  ) as FleetLearning;
  const { levels, rate } = Object(mix) as FleetLearning['mix'];
  if (!Array.isArray(growth) || growth.length !== moveSpans.length - 1) return false;
  return [alertsPerWatchDay, variancePerDay, levels, rate, explained, ...growth].every(
    (each) => Number.isFinite(each) && Number(each) > 0,
  );
}
