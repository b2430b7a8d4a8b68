// Rules that need the listings feed, and the oracle's own evaluation of them: each set of
// listings is compared with the previous set. Shares no code with the product's.

import { naiveAlerts } from '#test/support/rules/naive.ts';
import type { Dice } from '../dice.ts';
import type { ListingSet, MarketEvent } from './market.ts';
import { zoneFactor, zones } from './market.ts';
import type { RuleDocument } from './rules.ts';

type Listing = ListingSet['listings'][number];

/** Patterns of sections, as rollZone numbers them, and the zone that contains them. */
const sectionsOf = {
  Floor: ['100-109'],
  'Lower Bowl': ['200-209'],
  'Upper Deck': ['30*'],
} as const;

export function rollListingRule(dice: Dice, { basePrice }: MarketEvent): RuleDocument {
  const zone = dice.pick(zones);
  const filter = {
    ...(dice.chance(0.5) ? { zones: [zone] } : { sections: [...sectionsOf[zone]] }),
    ...(dice.chance(0.3) && { min_quantity: 2 }),
  };
  if (dice.chance(0.3)) {
    const side = dice.pick(['at_or_above', 'at_or_below']);
    return { type: 'supply', matching: filter, [side]: dice.between(1, 3) };
  }
  const level = basePrice * zoneFactor[zone] * (0.85 + 0.4 * dice.roll());
  return { type: 'listing', ...filter, at_or_below: Math.round(level * 100) / 100 };
}

export function isListingRule(rule: RuleDocument): boolean {
  return rule.type === 'listing' || rule.matching !== undefined;
}

/** When a listing rule should alert, from the sets that were seen, in time order. */
export function listingAlerts(rule: RuleDocument, sets: readonly ListingSet[]): number[] {
  if (rule.type === 'listing') return newCheapest(rule, sets);
  const counted = sets.map(({ observedAt, listings }) => ({
    feedKind: 'stats' as const,
    eventId: 0,
    observedAt,
    metrics: {
      ...{ get_in: null, get_in_qty2plus: null, avg_price: null, median_price: null },
      total_listings_active: matching(rule.matching, listings).length,
      listing_fill_rate: 0,
    },
    zones: {},
  }));
  return naiveAlerts({ ...rule, matching: undefined }, counted, 0).map(({ at }) => at);
}

/** Whether a set of listings still meets the rule's level. */
export function holdsAtSet(rule: RuleDocument, { listings }: ListingSet): boolean {
  if (rule.type === 'listing') return centsOf(matching(rule, listings)[0]) <= levelOf(rule);
  const count = matching(rule.matching, listings).length;
  return rule.at_or_above === undefined
    ? count <= Number(rule.at_or_below)
    : count >= Number(rule.at_or_above);
}

/** A cheapest match that is new, or was more expensive before, and was not alerted at this price. */
function newCheapest(rule: RuleDocument, sets: readonly ListingSet[]): number[] {
  const named = new Map<string, number>();
  let before: readonly Listing[] | undefined;
  return sets.flatMap(({ observedAt, listings }) => {
    const matches = matching(rule, listings);
    const [cheapest] = matches;
    const isNews = cheapest !== undefined && (before === undefined || isNew(cheapest, before));
    before = matches;
    if (!isNews || centsOf(cheapest) > levelOf(rule)) return [];
    if ((named.get(seatsOf(cheapest)) ?? Number.POSITIVE_INFINITY) <= centsOf(cheapest)) return [];
    for (const match of matches) {
      if (centsOf(match) <= levelOf(rule)) named.set(seatsOf(match), centsOf(match));
    }
    return [observedAt];
  });
}

function isNew(cheapest: Listing, before: readonly Listing[]): boolean {
  const known = before.find((one) => seatsOf(one) === seatsOf(cheapest));
  return known === undefined || centsOf(cheapest) < centsOf(known);
}

/** The matches, cheapest first. */
function matching(filter: unknown, listings: readonly Listing[]): Listing[] {
  const {
    zones: wanted,
    sections,
    min_quantity: least = 1,
  } = filter as {
    zones?: string[];
    sections?: string[];
    min_quantity?: number;
  };
  const isIn = ({ zone = '', section = '' }: Listing) =>
    wanted ? wanted.includes(zone) : section.startsWith(sections?.[0]?.slice(0, 1) ?? '');
  const found = listings.filter((one) => one.quantity >= least && isIn(one));
  return found.sort(
    (a, b) => centsOf(a) - centsOf(b) || Number(a.listing_id) - Number(b.listing_id),
  );
}

/** The marketplace reuses an id for other seats. */
function seatsOf({ listing_id, zone, section, row }: Listing): string {
  return [listing_id, zone, section, row].join('/');
}

function centsOf(listing: Listing | undefined): number {
  return listing ? Math.round(listing.price * 100) : Number.POSITIVE_INFINITY;
}

function levelOf(rule: RuleDocument): number {
  return Math.round(Number(rule.at_or_below) * 100);
}
