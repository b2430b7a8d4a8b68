// Forecasts the cost of a watch before it is made: the pulls per day that it adds to its feeds, and its share
// of their cost. Pure; with an unknown rhythm it is only an upper bound.
import type { Feed } from './feed.ts';
import { naturalSpacing } from './pacing.ts';
import { paceOf } from './rhythm.ts';

const dayMs = 86_400_000;

/**
 * Upper bounds in pulls per day: `addedAtMost` for the whole account, `shareAtMost` for this watch's share.
 */
export interface WatchForecast {
  addedAtMost: number;
  shareAtMost: number;
  /** Whether the market's pace is known; if not, only the latency gives the bound. */
  isKnown: boolean;
}

interface ForecastInput {
  /** The feed; undefined if no watch has subscribed yet. */
  feed: Feed | undefined;
  latencySeconds: number;
  /** The number of watches already subscribed to the feed. */
  watches: number;
  freeWhenQuiet: boolean;
}

/** Dispatch runs once a minute, so no feed is polled more often. */
const leastSpacingMs = 60_000;

/** The forecast of one feed of a watch. */
export function forecastSubscription(input: ForecastInput): WatchForecast {
  const { feed, latencySeconds, watches, freeWhenQuiet } = input;
  const isWanted = feed?.status === 'active' && watches > 0;
  const rhythm = feed?.rhythm ?? { gapsMs: [] };
  const perDay = (seconds: number) =>
    dayMs / Math.max(leastSpacingMs, naturalSpacing(rhythm, seconds * 1_000, freeWhenQuiet));
  const before = isWanted ? perDay(feed.latencySeconds) : 0;
  const strongest = isWanted ? Math.min(feed.latencySeconds, latencySeconds) : latencySeconds;
  const after = perDay(strongest);
  return {
    addedAtMost: roundUp(after - before),
    shareAtMost: roundUp(after / (watches + 1)),
    isKnown: paceOf(rhythm) !== undefined,
  };
}

/** The feeds of a watch together. */
export function sumForecasts(parts: readonly WatchForecast[]): WatchForecast {
  return {
    addedAtMost: roundUp(parts.reduce((sum, { addedAtMost }) => sum + addedAtMost, 0)),
    shareAtMost: roundUp(parts.reduce((sum, { shareAtMost }) => sum + shareAtMost, 0)),
    isKnown: parts.every(({ isKnown }) => isKnown),
  };
}

/** To a hundredth, rounded up, because the result is an upper bound. */
function roundUp(pulls: number): number {
  return Math.ceil(pulls * 100 - 1e-6) / 100;
}
