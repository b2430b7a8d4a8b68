// What a watch will cost before it is made: the pulls a day that it adds to its feeds, and the part of
// them that it bears. Pure; an unknown rhythm gives only an upper bound.
import type { Feed } from './feed.ts';
import { naturalSpacing } from './pacing.ts';
import { paceOf } from './rhythm.ts';

const dayMs = 86_400_000;

/** Pulls a day. `addedAtMost` is what all pay more; `shareAtMost` the part that this watch bears. */
export interface WatchForecast {
  addedAtMost: number;
  shareAtMost: number;
  /** Whether the market's pace is known; if not, the bound is the wish alone. */
  isKnown: boolean;
}

interface ForecastInput {
  /** The feed as it is; undefined when nobody wants it yet. */
  feed: Feed | undefined;
  latencySeconds: number;
  /** Watches that want the feed already. */
  watches: number;
  freeWhenQuiet: boolean;
}

/** The forecast of one feed of a watch. */
export function forecastWish(input: ForecastInput): WatchForecast {
  const { feed, latencySeconds, watches, freeWhenQuiet } = input;
  const isWanted = feed?.status === 'active' && watches > 0;
  const rhythm = feed?.rhythm ?? { gapsMs: [] };
  const perDay = (seconds: number) =>
    dayMs / naturalSpacing(rhythm, seconds * 1_000, freeWhenQuiet);
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

/** To a hundredth; what is promised as a bound is rounded up. */
function roundUp(pulls: number): number {
  return Math.ceil(pulls * 100 - 1e-6) / 100;
}
