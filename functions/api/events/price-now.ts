// The current get-in price of events, as far as stored snapshots show it. It reads each event's feed and the
// snapshot that the feed names, so that the reads of a page fit in a few requests; it never polls.
import type { Stores } from '#shared/dynamo/stores.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';

/** A price in cents, null if nothing is for sale, and when the market had it, epoch milliseconds. */
export interface PriceNow {
  getInCents: number | null;
  observedAt: number;
}

/** The prices by event id; an event without a stored snapshot is absent. */
export type ReadPrices = (eventIds: readonly number[]) => Promise<Map<number, PriceNow>>;

export function createReadPrices({
  feeds,
  snapshots,
}: Pick<Stores, 'feeds' | 'snapshots'>): ReadPrices {
  async function read(eventId: number): Promise<[number, PriceNow][]> {
    const at = (await feeds.find(eventId, metricsFeed))?.lastSnapshotAt;
    if (at === undefined) return [];
    const feed = { eventId, kind: metricsFeed } as const;
    const snapshot = (await snapshots.at(feed, at)) ?? (await snapshots.newest(feed));
    if (snapshot?.feedKind !== metricsFeed) return [];
    const { metrics, observedAt } = snapshot;
    return [[eventId, { getInCents: metrics.get_in, observedAt }]];
  }

  return async (eventIds) => new Map((await Promise.all(eventIds.map(read))).flat());
}
