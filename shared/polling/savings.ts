// Finds changes of latency that save pulls, by comparing each feed's forecast with and without the change.
import type { Feed } from './feed.ts';
import { forecastFeed } from './fleet.ts';
import type { FleetLearning } from './value/learned.ts';
import type { PullTerms } from './value/waiting.ts';

/** A longer latency for an event, and the pulls that it would save until the period ends. */
export interface Saving {
  eventId: number;
  kind: Feed['kind'];
  latencySeconds: number;
  pulls: number;
}

/** The longer latencies that are tried, in seconds. */
const relaxedTo = [900, 3_600, 21_600, 86_400] as const;
/** A smaller saving is not reported. */
const leastPulls = 1;

export interface SavingTerms extends PullTerms {
  freeWhenQuiet: boolean;
  learned: FleetLearning;
  /** Epoch milliseconds. */
  now: number;
  until: number;
}

/**
 * For each feed the smallest change of latency that saves at least a tenth of its cost, largest savings
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
