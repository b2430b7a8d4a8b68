// The outlook of an event's triggers: those that its price would reach first, and what the rules of the expensive
// feeds need. Reads the trigger index; changes nothing.

import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import { type FeedKind, kindsArmedBy } from '#shared/polling/feed-kinds.ts';
import type { ListingReach } from '#shared/polling/listing-reach.ts';
import { distanceTo } from '#shared/polling/weight.ts';
import { seriesValue } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { filterOf, unitOf } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';

/** Triggers read of each series, direction and state: one alone misses a tenth of what a pull is worth. */
const mostNear = 8;
/** Series read; an event with more has its nearest levels among them, or is polled by its rate of alerts. */
const mostSeries = 12;

export interface Outlook {
  /** For the stats feed, as a fraction of the value; null if no plain level is armed. */
  distance: number | null;
  /** The nearest triggers of each series, armed and fired. */
  triggers: Trigger[];
  /** For the rules of each kind that this feed arms; kinds without rules are absent. */
  reaches: Map<FeedKind, ListingReach[]>;
}

export type LookAhead = (eventId: number, snapshot: MarketSnapshot) => Promise<Outlook>;

/** @returns a function that reads an event's outlook at its newest stats snapshot. */
export function createLookAhead(
  triggers: Pick<TriggerStore, 'seriesOf' | 'shardsOf' | 'nearest' | 'forEvent'>,
): LookAhead {
  return async function lookAhead(eventId, snapshot) {
    const [series, shards] = await Promise.all([
      triggers.seriesOf(eventId),
      triggers.shardsOf(eventId),
    ]);
    const own = ofKind(series, snapshot.feedKind).slice(0, mostSeries);
    const near = (await Promise.all(own.map((key) => nearestOf({ eventId, shards }, key)))).flat();
    const reaches = new Map<FeedKind, ListingReach[]>();
    for (const kind of kindsArmedBy(snapshot.feedKind)) {
      const found = await reachesOf({ eventId, shards }, ofKind(series, kind));
      if (found.length > 0) reaches.set(kind, found);
    }
    return { distance: nearestDistance(near, snapshot), triggers: near, reaches };
  };

  /** Each is one query of one page for each shard, so it hardly grows with the number of watchers. */
  async function nearestOf(event: ShardedEvent, series: SeriesKey): Promise<Trigger[]> {
    const found = await Promise.all(
      (['down', 'up'] as const).flatMap((direction) =>
        (['armed', 'fired'] as const).map((state) =>
          triggers.nearest({ ...event, series, direction, state }, mostNear),
        ),
      ),
    );
    return found.flat();
  }

  async function reachesOf(
    event: ShardedEvent,
    series: readonly SeriesKey[],
  ): Promise<ListingReach[]> {
    if (series.length === 0) return [];
    const unsettled = await unsettledOf(event);
    const found = await Promise.all(
      series.map(async (key): Promise<ListingReach[]> => {
        const { base, transform } = parseSeries(key);
        const filter = filterOf(base);
        if (filter === undefined) return [];
        const isOpen = unsettled.some((trigger) => trigger.series === key);
        const isPrice = unitOf(base) === 'price' && transform === null;
        if (!isPrice || isOpen) return [{ filter, levelCents: null }];
        const place = { ...event, series: key, direction: 'down', state: 'armed' } as const;
        const [first] = await triggers.nearest(place, 1);
        return first === undefined ? [] : [{ filter, levelCents: first.level }];
      }),
    );
    return found.flat();
  }

  async function unsettledOf({ eventId, shards }: ShardedEvent): Promise<Trigger[]> {
    const found = Array.from({ length: shards }, (_, shard) =>
      triggers.forEvent(eventId, { shard }).index.unsettled(),
    );
    return (await Promise.all(found)).flat();
  }
}

/** An event and the number of its shards. */
interface ShardedEvent {
  eventId: number;
  shards: number;
}

function ofKind(series: readonly SeriesKey[], kind: FeedKind): SeriesKey[] {
  return series.filter((key) => feedKindOf(key) === kind);
}

/** The distance to the nearest armed plain level. */
function nearestDistance(near: readonly Trigger[], snapshot: MarketSnapshot): number | null {
  const plain = near.filter(({ series, state }) => state === 'armed' && isPlain(series));
  const distances = plain.map(({ series, level }) =>
    distanceTo(seriesValue(series, snapshot), [level]),
  );
  const known = distances.filter((distance) => distance !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function isPlain(key: SeriesKey): boolean {
  const { transform, noValue } = parseSeries(key);
  return transform === null && noValue === 'none';
}
