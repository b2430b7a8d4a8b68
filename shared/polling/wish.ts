// A wish: one watch that wants a feed, and how late it lets an alert be. The feed is polled for the
// strongest wish, and each wish bears its part of what that costs.
import type { FeedKind } from './feed-kinds.ts';

/** One watch's wish for a feed. */
export interface Wish {
  eventId: number;
  kind: FeedKind;
  watchId: string;
  latencySeconds: number;
  ownerId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The feed's `sharedMicropulls` when the wish was made. */
  startMicropulls: number;
}

/** What a wish that has ended had cost, in millionths of a pull. */
export interface SpentWish extends Pick<Wish, 'eventId' | 'kind' | 'watchId' | 'createdAt'> {
  micropulls: number;
}

/** What names a wish. */
export type WishKey = Pick<Wish, 'eventId' | 'kind' | 'watchId' | 'latencySeconds'>;

/** The part of some pulls that each of the wishes bears. */
export function sharePerWish(pulls: number, wishes: number): number {
  return Math.round((pulls * 1_000_000) / Math.max(1, wishes));
}

/** Pulls of each owner in one shared charge, in proportion to its wishes. */
export function shareByOwner(pulls: number, wishes: readonly Pick<Wish, 'ownerId'>[]) {
  const counts = new Map<string, number>();
  for (const { ownerId } of wishes) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return [...counts].map(([ownerId, count]) => ({
    ownerId,
    micropulls: sharePerWish(pulls * count, wishes.length),
  }));
}

/** What a watch has cost so far, by feed, in pulls. */
export interface WatchCost {
  pulls: number;
  byFeed: Partial<Record<FeedKind, number>>;
}

/** Adds up a watch's live and ended wishes. */
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
