// What ought to have happened, worked out from the marketplace's own records alone: every rule held
// against every snapshot, one after the other.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { naiveAlerts } from '../../shared/rules/naive.ts';
import type { RecordedSnapshot } from '../scenario/marketplace-records.ts';
import type { MadeWatch } from '../setup.ts';

/** An alert that ought to be there: which rule, at which snapshot. */
export interface DueAlert {
  watchId: string;
  ruleId: string;
  /** Epoch milliseconds. */
  observedAt: number;
  places: string[];
}

const priceNames = ['get_in', 'get_in_qty2plus', 'avg_price', 'median_price'] as const;
type Prices = Record<(typeof priceNames)[number], number>;

/** A recorded snapshot in cents and basis points; no price of 0, and none in an empty market. */
export function toMarketSnapshot(eventId: number, recorded: RecordedSnapshot): MarketSnapshot {
  const isEmpty = recorded.total_listings_active === 0;
  const inCents = (prices: Prices) =>
    Object.fromEntries(
      priceNames.map((name) => {
        const cents = Math.round(prices[name] * 100);
        return [name, isEmpty || cents <= 0 ? null : cents];
      }),
    ) as Record<keyof Prices, number | null>;
  return {
    feedKind: 'stats',
    eventId,
    observedAt: Date.parse(recorded.timestamp),
    metrics: {
      ...inCents(recorded),
      total_listings_active: recorded.total_listings_active,
      listing_fill_rate: Math.round(recorded.listing_fill_rate * 10_000),
    },
    zones: Object.fromEntries(recorded.zones.map((zone) => [zone.zone_name, inCents(zone)])),
  };
}

/** Every alert that is due, by the watches and the snapshots of their events in time order. */
export function alertsDue(
  watches: readonly MadeWatch[],
  snapshotsOf: ReadonlyMap<number, MarketSnapshot[]>,
): DueAlert[] {
  return watches.flatMap(({ watchId, eventId, rules, places }) =>
    rules.flatMap(({ ruleId, rule }) =>
      naiveAlerts(rule, snapshotsOf.get(eventId) ?? [], 0).map(({ at }) => ({
        ...{ watchId, ruleId, places },
        observedAt: at,
      })),
    ),
  );
}

/** How often prices went from one side of a watched level to the other. */
export function countCrossings(
  watches: readonly MadeWatch[],
  snapshotsOf: ReadonlyMap<number, MarketSnapshot[]>,
): number {
  let crossings = 0;
  for (const { eventId, rules } of watches) {
    for (const { rule } of rules) {
      if (rule.type !== 'level') continue;
      const sides = (snapshotsOf.get(eventId) ?? [])
        .map((snapshot) => sideOf(rule, snapshot))
        .filter((side) => side !== undefined);
      crossings += sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length;
    }
  }
  return crossings;
}

function sideOf(rule: Record<string, unknown>, { metrics, zones }: MarketSnapshot) {
  const name = (rule.min_quantity === 2 ? 'get_in_qty2plus' : rule.metric) as keyof Prices;
  const prices = rule.zone === undefined ? metrics : zones[String(rule.zone)];
  const cents = prices?.[name] ?? undefined;
  const level = Number(rule.at_or_below ?? rule.below ?? rule.at_or_above ?? rule.above);
  return cents === undefined ? undefined : Math.sign(cents - Math.round(level * 100)) >= 0;
}
