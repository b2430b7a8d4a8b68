// The prices of an event of the furnished desk over a month: they wander, each zone on its own way, and are at the
// alerts' prices when these were raised. The same figures each time.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { statsAt } from '#test/support/api.ts';
import type { ShownEvent } from './shown-events.ts';

const hourMs = 3_600_000;
const everyHours = 3;
const days = 30;
const count = (days * 24) / everyHours;
/** How long before and after an alert the price is drawn towards it. */
const reachHours = 20;

/** @param now epoch milliseconds, of the newest snapshot */
export function pricesOf(shown: ShownEvent, eventId: number, now: number): MarketSnapshot[] {
  return Array.from({ length: count + 1 }, (_, index) => {
    const hoursAgo = (count - index) * everyHours;
    const asked = priceAt(shown, eventId, hoursAgo);
    const zones = Object.entries(shown.zones ?? {}).map(
      ([zone, share], place): [string, number] => {
        const own =
          share === 1 ? asked : asked * share * wanderAt(hoursAgo, eventId + 7 * place + 3);
        return [zone, inQuarters(own)];
      },
    );
    const cheapest = Math.min(asked, ...zones.map(([, price]) => price));
    return {
      ...withSpread(statsAt(now - hoursAgo * hourMs, cheapest, Object.fromEntries(zones))),
      eventId,
    };
  });
}

const inQuarters = (dollars: number) => Math.round(dollars * 4) / 4;

/** In dollars, of the zone that the rule is about. */
function priceAt({ price, fall, alerts = [] }: ShownEvent, eventId: number, hoursAgo: number) {
  const left = hoursAgo / (days * 24);
  const free = price * (1 + fall * left ** 0.7) * wanderAt(hoursAgo, eventId);
  const near = alerts.find((alert) => Math.abs(alert.hoursAgo - hoursAgo) < reachHours);
  if (!near) return inQuarters(free);
  const pull = (1 - Math.abs(near.hoursAgo - hoursAgo) / reachHours) ** 0.6;
  const isThere = Math.abs(near.hoursAgo - hoursAgo) < everyHours;
  return inQuarters(isThere ? near.price : free + (near.price - free) * pull);
}

/** Around 1, and 1 now. */
function wanderAt(hoursAgo: number, seed: number): number {
  const size = Math.min(1, hoursAgo / 30);
  const slow = Math.sin(hoursAgo / 47 + seed) * 0.05 + Math.sin(hoursAgo / 19 + seed * 2) * 0.025;
  const dice = Math.sin(hoursAgo * 12.9898 + seed * 78.233) * 43_758.5453;
  const fast = (dice - Math.floor(dice) - 0.5) * 0.035;
  return 1 + size * (slow + fast);
}

/** Two together cost more than one, and the median more than the cheapest; listings come and go. */
function withSpread(snapshot: MarketSnapshot): MarketSnapshot {
  const { observedAt, metrics, zones } = snapshot;
  const hours = observedAt / hourMs;
  const spread = (cents: number | null) => {
    const of = (factor: number) => cents && Math.round((cents * factor) / 25) * 25;
    return {
      ...{ get_in: cents, get_in_qty2plus: of(1.06 + 0.02 * Math.sin(hours / 11)) },
      ...{ avg_price: of(1.7), median_price: of(1.46 + 0.04 * Math.sin(hours / 31)) },
    };
  };
  return {
    ...snapshot,
    metrics: { ...metrics, ...spread(metrics.get_in) },
    zones: Object.fromEntries(
      Object.entries(zones).map(([zone, own]) => [zone, spread(own.get_in)]),
    ),
  };
}

/** How many are listed, in parts of the number now. */
export function listingsAt(listings: number, observedAt: number, now: number): number {
  const hoursAgo = (now - observedAt) / hourMs;
  const wave = 1 + Math.min(1, hoursAgo / 24) * 0.2 * Math.sin(hoursAgo / 53);
  return Math.round(listings * wave * (1 + hoursAgo / 2_000));
}
