// What the news of a poll says about the value of the next pull: the price's moves, and how far the nearest alerts
// are. Reads nothing.
import type { Feed } from '#shared/polling/feed.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { gapOf, type Rhythm } from '#shared/polling/rhythm.ts';
import { type FeedValue, valueAfter } from '#shared/polling/value/feed-value.ts';
import type { FleetLearning } from '#shared/polling/value/learned.ts';
import { type PriceMemory, rememberPrice } from '#shared/polling/value/price-memory.ts';
import { baseValues, type Snapshot, unitOf } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { prospectsOf } from './prospects.ts';

interface News {
  /** Newly stored, in time order. */
  snapshots: readonly Snapshot[];
  /** The rhythm with the refreshes of this poll. */
  rhythm: Rhythm;
  /** The nearest triggers; empty for a feed without metrics. */
  triggers: readonly Trigger[];
  /** The alerts of the feed until its last evaluation. */
  alerts: number;
  learned: FleetLearning;
}

/** The feed's value after the news; as before without any. */
export function valueOfNews(feed: Feed, news: News): FeedValue | undefined {
  const { snapshots, rhythm, triggers, alerts, learned } = news;
  const newest = snapshots.at(-1);
  if (!newest) return feed.value;
  const memory = snapshots.reduce(withPriceOf, feed.value?.memory);
  const { prospects, nearest } =
    newest.feedKind === metricsFeed
      ? prospectsOf(triggers, newest, memory)
      : { prospects: [], nearest: undefined };
  const since = feed.lastSnapshotAt ?? newest.observedAt;
  return valueAfter({
    ...{ before: feed.value, memory, prospects, nearest, alerts, learned },
    elapsedMs: Math.max(0, newest.observedAt - since),
    gapMs: gapOf(rhythm),
    watches: feed.watches ?? 1,
    now: newest.observedAt,
  });
}

/** The cheapest ticket; where the market does not tell it, the first price that it tells. */
function withPriceOf(memory: PriceMemory | undefined, snapshot: Snapshot): PriceMemory | undefined {
  if (snapshot.feedKind !== metricsFeed) return memory;
  const isPrice = ([base, value]: ReturnType<typeof baseValues>[number]) =>
    value !== null && unitOf(base) === 'price';
  const cents = snapshot.metrics.get_in ?? baseValues(snapshot).find(isPrice)?.[1] ?? null;
  return rememberPrice(memory, { at: snapshot.observedAt, cents });
}
