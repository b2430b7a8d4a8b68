/**
 * The observations of a simulated event at one tick: the listing set of each marketplace and the
 * sales that `sh` reports. Computed from seed and tick, without clock and store.
 */
import { toIso } from '../clock.ts';
import type { ListingObservation, ListingSet, SaleObservation } from '../ingest/observations.ts';
import { type SimulatedEvent, zoneOfSlot } from './catalog.ts';
import {
  createLives,
  fateOf,
  idGeneration,
  type Life,
  type Lives,
  quantityOf,
  seatsGeneration,
} from './lives.ts';
import { priceAt } from './prices.ts';
import { between, hash, unit } from './random.ts';
import type { SimulatedZone } from './venues.ts';

export interface Tick {
  tick: number;
  /** Time of the refresh, epoch milliseconds. */
  at: number;
  /** Length of a tick, milliseconds. */
  intervalMs: number;
}

export interface SimulatedMarket {
  observe(source: 'sh' | 'vs', tick: Tick): ListingSet;
  /** Sales since the previous tick, as `sh` reports them. */
  reportSales(tick: Tick): SaleObservation[];
}

type Source = 'sh' | 'vs';

interface Side {
  seed: number;
  slots: number;
  lives: Lives;
}

export function createMarket(event: SimulatedEvent): SimulatedMarket {
  const sides: Record<Source, Side> = {
    sh: createSide(event.seed, 40, event.shListings),
    vs: createSide(event.seed, 41, event.vsListings),
  };
  return {
    observe: (source, tick) => observeSet(event, { source, side: sides[source] }, tick),
    reportSales: (tick) => reportSales(event, sides.sh, tick),
  };
}

function createSide(eventSeed: number, salt: number, slots: number): Side {
  const seed = hash(eventSeed, salt);
  return { seed, slots, lives: createLives(seed, slots) };
}

function observeSet(
  event: SimulatedEvent,
  o: { source: Source; side: Side },
  tick: Tick,
): ListingSet {
  const listings: ListingObservation[] = [];
  for (let slot = 0; slot < o.side.slots; slot += 1) {
    const life = lifeAt(event, o.side, slot, tick.tick);
    if (life) listings.push(describeListing(event, { ...o, slot, life }, tick));
  }
  return {
    event_id: event.entry.event_id,
    source: o.source,
    observed_at: toIso(tick.at),
    listings,
  };
}

/** A sold-out zone has no listings for a range of ticks, whatever the slots' own lives are. */
function lifeAt(event: SimulatedEvent, side: Side, slot: number, tick: number): Life | undefined {
  const zone = zoneOfSlot(event, slot);
  const era = Math.floor((tick + between(0, 39, event.seed, 42)) / 40);
  const soldOut = zone.factor > 1 && unit(event.seed, 43, zone.sections.length, era) < 0.04;
  return soldOut ? undefined : side.lives.at(slot, tick);
}

interface Place {
  source: Source;
  side: Side;
  slot: number;
  life: Life;
}

interface Seats {
  zone: SimulatedZone;
  section: string;
  row: number;
}

function seatsOf(event: SimulatedEvent, { side, slot, life }: Omit<Place, 'source'>): Seats {
  const generation = seatsGeneration(side.seed, slot, life.generation);
  const zone = zoneOfSlot(event, slot);
  const section = zone.sections[hash(side.seed, 44, slot, generation) % zone.sections.length] ?? '';
  return { zone, section, row: between(1, zone.rows, side.seed, 45, slot, generation) };
}

function describeListing(event: SimulatedEvent, place: Place, tick: Tick): ListingObservation {
  const { source, side, slot, life } = place;
  const { zone, section, row } = seatsOf(event, place);
  const { start, partlySoldFrom } = quantityOf(side.seed, slot, life);
  const cents = priceAt({ event, seed: side.seed, slot, life, zone, row, ...tick });
  const quantity = tick.tick >= partlySoldFrom ? start - 2 : start;
  const shared = { row: String(row), quantity, price: cents / 100 };
  if (source === 'sh') {
    return { ...shared, listing_id: shListingId(event, place), zone: zone.name, section };
  }
  const hasAllIn = unit(side.seed, 46, slot, life.generation) < 0.8;
  return {
    ...shared,
    listing_id: vsListingId(event, place),
    zone: '',
    section: `${zone.vsName} ${section}`,
    all_in_price: hasAllIn ? Math.round(cents * 1.27) / 100 : null,
  };
}

/** `sh` ids are about 1.3e10; `vs` ids often contain letters (facts.md). */
function shListingId(event: SimulatedEvent, { side, slot, life }: Omit<Place, 'source'>): number {
  const generation = idGeneration(side.seed, slot, life.generation);
  return 13_000_000_000 + event.index * 1_000_000 + generation * 1000 + slot;
}

function vsListingId(event: SimulatedEvent, { side, slot, life }: Place): string {
  const generation = idGeneration(side.seed, slot, life.generation);
  const serial = hash(side.seed, 47, slot, generation).toString(36).toUpperCase();
  return `VB${event.index}-${serial}`;
}

function reportSales(event: SimulatedEvent, side: Side, tick: Tick): SaleObservation[] {
  const sales: SaleObservation[] = [];
  for (let slot = 0; slot < side.slots; slot += 1) {
    const before = lifeAt(event, side, slot, tick.tick - 1);
    if (!before) continue;
    const sold = soldAt(side, slot, before, tick.tick);
    if (sold > 0) sales.push(describeSale(event, { side, slot, life: before, sold }, tick));
  }
  return sales;
}

/** How many seats of the life were sold at the tick. */
function soldAt(side: Side, slot: number, life: Life, tick: number): number {
  const { start, partlySoldFrom } = quantityOf(side.seed, slot, life);
  if (tick === life.until) {
    if (fateOf(side.seed, slot, life.generation) !== 'sold') return 0;
    return partlySoldFrom < life.until ? start - 2 : start;
  }
  return tick === partlySoldFrom ? 2 : 0;
}

/** Most sales have no quantity or price, and a few nothing that identifies the seats. */
function describeSale(
  event: SimulatedEvent,
  o: { side: Side; slot: number; life: Life; sold: number },
  tick: Tick,
): SaleObservation {
  const { side, slot, life } = o;
  const soldAt = tick.at - Math.floor(unit(side.seed, 48, slot, tick.tick) * tick.intervalMs);
  const reported = unit(side.seed, 49, slot, tick.tick);
  const sale: SaleObservation = {
    event_id: event.entry.event_id,
    listing_id: shListingId(event, o),
    sold_at: toIso(soldAt),
  };
  if (reported < 0.03) return { ...sale, listing_id: sale.listing_id + 500 };
  const { zone, section, row } = seatsOf(event, o);
  const seats = { zone: zone.name, section, row: String(row) };
  if (reported < 0.7) return { ...sale, ...seats };
  const before = {
    tick: tick.tick - 1,
    at: tick.at - tick.intervalMs,
    intervalMs: tick.intervalMs,
  };
  const cents = priceAt({ event, seed: side.seed, slot, life, zone, row, ...before });
  return { ...sale, ...seats, quantity: o.sold, price: cents / 100 };
}
