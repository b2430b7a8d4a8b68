// What stands before an event's triggers: how far the nearest level is, and whether its listings can
// hold anything that a listing rule asks for. Reads the trigger index; moves nothing.

import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import type { Reach } from '#shared/polling/arming.ts';
import { distanceTo } from '#shared/polling/weight.ts';
import { seriesValue } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

export interface Outlook {
  /** Of the stats feed, as a fraction of the value; null where no plain level is armed. */
  distance: number | null;
  /** Of listing rules. */
  reaches: Reach[];
}

export type LookAhead = (eventId: number, snapshot: MarketSnapshot) => Promise<Outlook>;

/** @returns a function that reads one event's outlook at its newest stats snapshot. */
export function createLookAhead(
  triggers: Pick<TriggerStore, 'seriesOf' | 'armedEdge' | 'forEvent'>,
): LookAhead {
  return async function lookAhead(eventId, snapshot) {
    const series = await triggers.seriesOf(eventId);
    const plain = series.filter((key) => feedKindOf(key) === 'stats' && isPlain(key));
    const distances = await Promise.all(plain.map((key) => distanceOf(eventId, key, snapshot)));
    const known = distances.filter((distance) => distance !== null);
    return {
      distance: known.length === 0 ? null : Math.min(...known),
      reaches: await reachesOf(eventId, series),
    };
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

  async function reachesOf(eventId: number, series: readonly SeriesKey[]): Promise<Reach[]> {
    const listings = series.filter((key) => feedKindOf(key) === 'listings');
    if (listings.length === 0) return [];
    const unsettled = await triggers.forEvent(eventId).index.unsettled();
    const found = await Promise.all(
      listings.map(async (key): Promise<Reach[]> => {
        const { base, transform } = parseSeries(key);
        if (base.kind !== 'listings') return [];
        const isOpen = unsettled.some((trigger) => trigger.series === key);
        const isPrice = base.measure !== 'count' && transform === null;
        if (!isPrice || isOpen) return [{ filter: base.filter, levelCents: null }];
        const edge = await triggers.armedEdge(eventId, key, 'down');
        return edge === undefined ? [] : [{ filter: base.filter, levelCents: edge }];
      }),
    );
    return found.flat();
  }
}

function isPlain(key: SeriesKey): boolean {
  const { transform, noValue } = parseSeries(key);
  return transform === null && noValue === 'none';
}
