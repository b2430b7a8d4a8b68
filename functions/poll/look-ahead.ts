// The outlook of an event's triggers: the distance to the nearest level, and what the rules of the expensive
// feeds need. Reads the trigger index; changes nothing.

import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import { type FeedKind, kindsArmedBy } from '#shared/polling/feed-kinds.ts';
import type { ListingReach } from '#shared/polling/listing-reach.ts';
import { distanceTo } from '#shared/polling/weight.ts';
import { seriesValue } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { filterOf, unitOf } from '#shared/rules/sources/sources.ts';

export interface Outlook {
  /** For the stats feed, as a fraction of the value; null if no plain level is armed. */
  distance: number | null;
  /** For the rules of each kind that this feed arms; kinds without rules are absent. */
  reaches: Map<FeedKind, ListingReach[]>;
}

export type LookAhead = (eventId: number, snapshot: MarketSnapshot) => Promise<Outlook>;

/** @returns a function that reads an event's outlook at its newest stats snapshot. */
export function createLookAhead(
  triggers: Pick<TriggerStore, 'seriesOf' | 'armedEdge' | 'forEvent'>,
): LookAhead {
  return async function lookAhead(eventId, snapshot) {
    const series = await triggers.seriesOf(eventId);
    const plain = ofKind(series, snapshot.feedKind).filter(isPlain);
    const distances = await Promise.all(plain.map((key) => distanceOf(eventId, key, snapshot)));
    const known = distances.filter((distance) => distance !== null);
    const reaches = new Map<FeedKind, ListingReach[]>();
    for (const kind of kindsArmedBy(snapshot.feedKind)) {
      const found = await reachesOf(eventId, ofKind(series, kind));
      if (found.length > 0) reaches.set(kind, found);
    }
    return { distance: known.length === 0 ? null : Math.min(...known), reaches };
  };

  async function distanceOf(eventId: number, key: SeriesKey, snapshot: MarketSnapshot) {
    const edges = await Promise.all(
      (['down', 'up'] as const).map((way) => triggers.armedEdge(eventId, key, way)),
    );
    return distanceTo(
      seriesValue(key, snapshot),
      edges.filter((edge) => edge !== undefined),
    );
  }

  async function reachesOf(eventId: number, series: readonly SeriesKey[]): Promise<ListingReach[]> {
    if (series.length === 0) return [];
    const unsettled = await triggers.forEvent(eventId).index.unsettled();
    const found = await Promise.all(
      series.map(async (key): Promise<ListingReach[]> => {
        const { base, transform } = parseSeries(key);
        const filter = filterOf(base);
        if (filter === undefined) return [];
        const isOpen = unsettled.some((trigger) => trigger.series === key);
        const isPrice = unitOf(base) === 'price' && transform === null;
        if (!isPrice || isOpen) return [{ filter, levelCents: null }];
        const edge = await triggers.armedEdge(eventId, key, 'down');
        return edge === undefined ? [] : [{ filter, levelCents: edge }];
      }),
    );
    return found.flat();
  }
}

function ofKind(series: readonly SeriesKey[], kind: FeedKind): SeriesKey[] {
  return series.filter((key) => feedKindOf(key) === kind);
}

function isPlain(key: SeriesKey): boolean {
  const { transform, noValue } = parseSeries(key);
  return transform === null && noValue === 'none';
}
