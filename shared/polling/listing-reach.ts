// Decides from an event's stats whether its listings can satisfy a listing rule: the cheap stats call decides
// whether the expensive listings call is worth making now. Fetches nothing.
import { listingFilterBounds } from '#shared/rules/language/listing-filter.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

/** One listing series with armed triggers. */
export interface ListingReach {
  /** The filter's canonical key. */
  filter: string;
  /** The highest price, in cents, of any rule on the series; null if any listing counts. */
  levelCents: number | null;
}

/** Listings are polled at their normal rate again this far before the first rule is reached. */
const marginBps = 1_000;

/**
 * `near`: a matching listing may exist, or soon may. A rule "under 150" can't be met while the cheapest
 * ticket of its zones costs more, because no listing is cheaper than the get-in. The margin is for prices
 * that fall between two refreshes.
 */
export function decideListingReach(
  reaches: readonly ListingReach[],
  snapshot: MarketSnapshot,
): 'near' | 'out_of_reach' {
  return reaches.some((reach) => isNear(reach, snapshot)) ? 'near' : 'out_of_reach';
}

function isNear({ filter, levelCents }: ListingReach, snapshot: MarketSnapshot): boolean {
  if (levelCents === null) return true;
  const floorCents = floorOf(filter, snapshot);
  if (floorCents === null) return false;
  return floorCents * 10_000 <= levelCents * (10_000 + marginBps);
}

/** The lowest possible price of a match; null if no possible match is for sale. */
function floorOf(filter: string, { metrics, zones }: MarketSnapshot): number | null {
  const bounds = listingFilterBounds(filter);
  const metric = bounds.minQuantity > 1 ? 'get_in_qty2plus' : 'get_in';
  if (!bounds.zones || Object.keys(zones).length === 0) return metrics[metric];
  const floors = bounds.zones.flatMap((zone) => {
    const floor = Object.hasOwn(zones, zone) ? (zones[zone]?.[metric] ?? null) : null;
    return floor === null ? [] : [floor];
  });
  return floors.length === 0 ? null : Math.min(...floors);
}
