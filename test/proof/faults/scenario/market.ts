// The prices of a run: a few events whose markets swing across levels again and again,
// with the oddities of real markets. Determined by the seed.
import type { EventObservation, ListingObservation } from '#marketplace/ingest/observations.ts';
import type { Dice } from '../dice.ts';

export const zones = ['Floor', 'Lower Bowl', 'Upper Deck'] as const;
/** A zone's price, as a fraction of the event's base price. */
export const zoneFactor = { Floor: 2.5, 'Lower Bowl': 1.4, 'Upper Deck': 1 } as const;
const listingsPerZone = 4;

export interface MarketEvent {
  eventId: number;
  /** Dollars; the get-in swings around it. */
  basePrice: number;
  /** Snapshots from one high to the next. */
  swing: number;
  phase: number;
  /** Whether some of its watches need listings; then no price is mis-keyed. */
  hasListingRules: boolean;
}

/** The listings of one refresh. */
export interface ListingSet {
  /** By the marketplace's clock, epoch milliseconds. */
  observedAt: number;
  listings: readonly ListingObservation[];
}

/** The event that only the odd owner watches. */
export const oddEventId = 7_900;

/** This many events, followed by the odd owner's event. */
export function rollEvents(dice: Dice, count: number): MarketEvent[] {
  return Array.from({ length: count + 1 }, (_, index) => ({
    eventId: index === count ? oddEventId : 7_001 + index,
    basePrice: dice.between(60, 240),
    swing: dice.between(3, 7),
    phase: dice.roll() * 2 * Math.PI,
    hasListingRules: index === 0,
  }));
}

const dayMs = 86_400_000;
/** The event's UTC offset in winter; in summer it begins an hour earlier than computed. */
const behindMs = 5 * 3_600_000;

/** The event's catalog entry, with its start at `startsAt`, epoch milliseconds. */
export function catalogEntry({ eventId }: MarketEvent, startsAt: number): EventObservation {
  const [date = '', time = ''] = new Date(startsAt - behindMs).toISOString().split('T');
  return {
    event_id: eventId,
    sh_event_id: 9_000_000 + eventId,
    event_name: `Game ${eventId} at Test Garden`,
    event_date: date,
    event_time: time.slice(0, 5),
    venue: {
      std_venue_id: 1,
      venue_name: 'Test Garden',
      venue_city: 'New York',
      venue_state: 'NY',
      ...{ venue_lat: 40.75, venue_lng: -73.99 },
    },
  };
}

/** This many days after `now`, epoch milliseconds. */
export function daysFrom(now: number, days: number): number {
  return now + days * dayMs;
}

/** The listings of one refresh. `step` counts refreshes; the first is normal, later ones may be odd. */
export function rollListings(dice: Dice, event: MarketEvent, step: number): ListingObservation[] {
  const oddity = step === 0 ? 'none' : dice.weigh(event.hasListingRules ? calmOddities : oddities);
  if (oddity === 'empty') return [];
  const wave = Math.sin((2 * Math.PI * step) / event.swing + event.phase);
  const level = event.basePrice * (1 + 0.3 * wave + 0.1 * (dice.roll() - 0.5));
  const listed = zones
    .filter((zone) => oddity !== 'zone_gone' || zone !== 'Floor')
    .flatMap((zone, place) => rollZone(dice, { zone, place, level }));
  if (oddity === 'mis_keyed') {
    const victim = dice.between(0, listed.length - 1);
    return listed.map((one, index) => (index === victim ? { ...one, price: 1.5 } : one));
  }
  return listed;
}

const oddities = { none: 20, empty: 1, zone_gone: 2, mis_keyed: 1 } as const;
const calmOddities = { ...oddities, mis_keyed: 0 };

function rollZone(
  dice: Dice,
  { zone, place, level }: { zone: (typeof zones)[number]; place: number; level: number },
): ListingObservation[] {
  const count = dice.between(2, listingsPerZone);
  return Array.from({ length: count }, (_, index) => ({
    listing_id: 1_000 + place * 100 + index,
    zone,
    section: `${place + 1}0${index}`,
    row: 'A',
    quantity: dice.between(1, 4),
    price: cents(level * zoneFactor[zone] * (1 + 0.08 * index + 0.04 * dice.roll())),
  }));
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
