// An event with prices of 30 days, as polls have stored them: it falls from $176 in a wave, the same on every run.
import type { PriceMetricName } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { type Api, startMs } from './api.ts';
import { storePolled } from './polled-event.ts';

const hourMs = 3_600_000;
const everyMs = 2 * hourMs;
const days = 30;
const rows = (days * 24 * hourMs) / everyMs;

/** The zones and what each costs in parts of Lower Bowl's price. */
const zoneShares = { 'Lower Bowl': 1, Club: 1.7, 'Upper Bowl': 0.45 } as const;

interface EventPrices {
  id: number;
  name: string;
  /** Further zones, by name, in parts of the same price. */
  zones?: Readonly<Record<string, number>>;
}

/** The price of Lower Bowl so many refreshes before the newest, in dollars. */
export function priceBefore(refreshes: number): number {
  const n = rows - 1 - refreshes;
  return Math.round(176 - n / 6 + 6 * Math.sin(n / 9));
}

/** Stores an event, its facts and its prices; the newest refresh is at the beginning of the test's time. */
export async function storeEventPrices(
  { stores }: Pick<Api, 'stores'>,
  { id, name, zones = {} }: EventPrices,
): Promise<void> {
  await stores.eventFacts.keep({
    ...{ eventId: id, name, date: '2026-03-08', time: '19:30', timeZone: 'America/New_York' },
    ...{ startsAt: Date.parse('2026-03-09T00:30:00Z'), updatedAt: 1 },
    ...{ venueName: 'Madison Square Garden', venueCity: 'New York' },
  });
  const shares = { ...zoneShares, ...zones };
  const found = Array.from({ length: rows }, (_, n) => {
    const back = rows - 1 - n;
    return snapshotOf(id, startMs - back * everyMs, priceBefore(back), shares);
  });
  await storePolled(stores, found, {
    dayCount: { startsAt: startMs - 12 * hourMs, looks: 31, pulls: 6 },
  });
}

function snapshotOf(
  eventId: number,
  observedAt: number,
  dollars: number,
  shares: Readonly<Record<string, number>>,
): MarketSnapshot {
  const lowest = Math.min(...Object.values(shares));
  return {
    feedKind: 'stats',
    eventId,
    observedAt,
    metrics: {
      ...pricesOf(dollars * lowest),
      total_listings_active: Math.round(dollars * 2),
      listing_fill_rate: 4_000,
    },
    zones: Object.fromEntries(
      Object.entries(shares).map(([zone, share]) => [zone, pricesOf(dollars * share)]),
    ),
  };
}

function pricesOf(dollars: number): Record<PriceMetricName, number> {
  const cents = (share: number) => Math.round(dollars * share * 100);
  return {
    ...{ get_in: cents(1), get_in_qty2plus: cents(1.1) },
    ...{ avg_price: cents(1.6), median_price: cents(1.4) },
  };
}
