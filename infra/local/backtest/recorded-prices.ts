/** The recorded prices of each game as the snapshots that rules read. */
import type { Recording } from '#marketplace/replay.ts';
import type { MarketSnapshot, ZoneMetrics } from '#shared/rules/snapshot.ts';

export interface RecordedGame {
  id: number;
  name: string;
  /** One a day, in time order. */
  snapshots: MarketSnapshot[];
}

/**
 * A recording has a mean per day and price tier and no single price: each tier's mean stands for its prices,
 * and the cheapest tier's for the get-in of the event.
 */
export function recordedGames({ games, days }: Recording): RecordedGame[] {
  const snapshots = new Map<number, MarketSnapshot[]>();
  for (const { day, tiers } of days) {
    for (const [id, own] of tiers) {
      const known = snapshots.get(id) ?? [];
      snapshots.set(id, known);
      known.push(snapshotOf(id, day, own));
    }
  }
  return games.map(({ shEventId: id, name }) => ({ id, name, snapshots: snapshots.get(id) ?? [] }));
}

type Tiers = Recording['days'][number]['tiers'] extends Map<number, infer Own> ? Own : never;

function snapshotOf(eventId: number, observedAt: number, tiers: Tiers): MarketSnapshot {
  const cheapest = Math.min(...tiers.map(({ averageCents }) => averageCents));
  const total = tiers.reduce((sum, { listings }) => sum + listings, 0);
  return {
    ...{ feedKind: 'stats', eventId, observedAt },
    metrics: {
      ...pricesOf(cheapest),
      total_listings_active: total,
      listing_fill_rate: null,
    },
    zones: Object.fromEntries(
      tiers.map(({ zone, averageCents }) => [zone, pricesOf(averageCents)]),
    ),
  };
}

function pricesOf(cents: number): ZoneMetrics {
  return { get_in: cents, get_in_qty2plus: cents, avg_price: cents, median_price: cents };
}
