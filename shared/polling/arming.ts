// Whether an event's listings can hold anything that a listing rule asks for, judged by the stats of
// the same event: the cheap call arms the dear one. Fetches nothing.
import { listingFilterBounds } from '#shared/rules/language/listing-filter.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

/** One listing series with armed triggers. */
export interface Reach {
  /** The filter's canonical key. */
  filter: string;
  /** The highest price, in cents, that any rule of the series asks for; null: any listing counts. */
  levelCents: number | null;
}

/** Listings are polled fast again this far before the first rule is reached. */
const marginBps = 1_000;

/**
 * `near`: a listing within reach may be there, or is about to be. A rule that asks for "under 150"
 * can't be met while the cheapest ticket of its zones costs more than that: no listing is cheaper
 * than the get-in. The margin is for prices that fall between two refreshes.
 */
export function decideReach(
  reaches: readonly Reach[],
  snapshot: MarketSnapshot,
): 'near' | 'out_of_reach' {
  return reaches.some((reach) => isNear(reach, snapshot)) ? 'near' : 'out_of_reach';
}

function isNear({ filter, levelCents }: Reach, snapshot: MarketSnapshot): boolean {
  if (levelCents === null) return true;
  const floorCents = floorOf(filter, snapshot);
  if (floorCents === null) return false;
  return floorCents * 10_000 <= levelCents * (10_000 + marginBps);
}

/** The least that a match can cost; null while nothing that could match is for sale. */
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
