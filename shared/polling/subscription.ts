// A watch's subscription to a feed, with its latency. The feed is polled for the smallest latency,
// and each subscription pays its share of the cost.
import type { Feed } from './feed.ts';
import type { FeedKind } from './feed-kinds.ts';

/** One watch's subscription to a feed. */
export interface Subscription {
  eventId: number;
  kind: FeedKind;
  watchId: string;
  latencySeconds: number;
  ownerId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The feed's `sharedMicropulls` when the watch subscribed. */
  startMicropulls: number;
}

/** The cost of an ended subscription, in millionths of a pull. */
export interface SpentSubscription
  extends Pick<Subscription, 'eventId' | 'kind' | 'watchId' | 'createdAt'> {
  micropulls: number;
}

/** What a subscription has cost so far. */
export function costOfSubscription(
  { eventId, kind, watchId, createdAt, startMicropulls }: Subscription,
  feed: Pick<Feed, 'sharedMicropulls'> | undefined,
): SpentSubscription {
  const micropulls = Math.max(0, (feed?.sharedMicropulls ?? 0) - startMicropulls);
  return { eventId, kind, watchId, createdAt, micropulls };
}

/** The key of a subscription. */
export type SubscriptionKey = Pick<Subscription, 'eventId' | 'kind' | 'watchId' | 'latencySeconds'>;

/** Each subscription's share of some pulls. */
export function sharePerSubscription(pulls: number, subscriptions: number): number {
  return Math.round((pulls * 1_000_000) / Math.max(1, subscriptions));
}

/** Each owner's share of some pulls, in proportion to its subscriptions. */
export function shareByOwner(
  pulls: number,
  subscriptions: readonly Pick<Subscription, 'ownerId'>[],
) {
  const counts = new Map<string, number>();
  for (const { ownerId } of subscriptions) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return [...counts].map(([ownerId, count]) => ({
    ownerId,
    micropulls: sharePerSubscription(pulls * count, subscriptions.length),
  }));
}

/** The cost of a watch so far, by feed, in pulls. */
export interface WatchCost {
  pulls: number;
  byFeed: Partial<Record<FeedKind, number>>;
}

/** Adds up the costs of a watch's live and ended subscriptions. */
export function costOf(parts: readonly { kind: FeedKind; micropulls: number }[]): WatchCost {
  const byFeed: Partial<Record<FeedKind, number>> = {};
  for (const { kind, micropulls } of parts) {
    byFeed[kind] = roundPulls((byFeed[kind] ?? 0) + micropulls / 1_000_000);
  }
  return { pulls: roundPulls(Object.values(byFeed).reduce((sum, each) => sum + each, 0)), byFeed };
}

function roundPulls(pulls: number): number {
  return Math.round(pulls * 10_000) / 10_000;
}
