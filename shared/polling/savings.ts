// What would be saved by which change: the same fleet with one wish relaxed, beside the fleet as it is.
import type { Feed } from './feed.ts';
import { forecastFeed } from './fleet.ts';

/** A change of an event's latency and the pulls that it would save until the period ends. */
export interface Saving {
  eventId: number;
  kind: Feed['kind'];
  latencySeconds: number;
  pulls: number;
}

/** Wishes that a watcher may relax to, in seconds. */
const relaxedTo = [900, 3_600, 21_600, 86_400] as const;
/** Less than this is not worth anybody's thought. */
const leastPulls = 1;

export interface SavingTerms {
  freeWhenQuiet: boolean;
  stretchMs: number;
  /** Epoch milliseconds. */
  now: number;
  until: number;
}

/**
 * For each feed the smallest relaxation that saves at least a tenth of what it costs, largest savings
 * first.
 */
export function findSavings(feeds: readonly Feed[], terms: SavingTerms, most: number): Saving[] {
  const savings = feeds.flatMap((feed) => {
    const saving = firstSaving(feed, terms);
    return saving ? [saving] : [];
  });
  return savings.sort((a, b) => b.pulls - a.pulls).slice(0, most);
}

function firstSaving(feed: Feed, terms: SavingTerms): Saving | undefined {
  const asIs = forecastFeed(feed, terms);
  for (const latencySeconds of relaxedTo) {
    if (latencySeconds <= feed.latencySeconds) continue;
    const pulls = asIs - forecastFeed({ ...feed, latencySeconds }, terms);
    if (pulls < leastPulls || pulls < asIs / 10) continue;
    return { eventId: feed.eventId, kind: feed.kind, latencySeconds, pulls: Math.floor(pulls) };
  }
  return undefined;
}
