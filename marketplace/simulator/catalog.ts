/**
 * The simulated catalog: the events with place, time and price level, computed from seed, index and
 * first day. market.ts computes prices over time.
 */
import { toDate } from '../clock.ts';
import type { EventObservation } from '../ingest/observations.ts';
import { between, hash, pick, unit } from './random.ts';
import { type SimulatedVenue, simulatedVenues, zonesOf } from './venues.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface SimulatedEvent {
  index: number;
  /** All random values of the event derive from it. */
  seed: number;
  entry: EventObservation;
  venue: SimulatedVenue;
  /** Epoch milliseconds. */
  startsAt: number;
  /** Price of an ordinary seat of the cheapest zone, cents. */
  basePriceCents: number;
  shListings: number;
  /** 0 when `vs` does not track the event. */
  vsListings: number;
}

const acts = [
  'Velvet Harbor',
  'The Paper Lanterns',
  'Nora Quill',
  'Copper & Pine',
  'Midnight Cartographers',
  'Ada Marlowe',
  'The Long Weekend',
  'Saint Ferris',
  'Juno Vale',
  'Glass Meridian',
  'Theo Brandt',
  'Wild Indigo',
] as const;
const tours = [
  'Northern Lights Tour',
  'Homecoming',
  'Evergreen World Tour',
  'Acoustic Evenings',
] as const;
const startTimes = ['19:00', '19:30', '20:00'] as const;

/** Event `index` of a catalog whose first day starts at `firstDay` (UTC midnight, epoch ms). */
export function planEvent(o: {
  seed: number;
  index: number;
  events: number;
  firstDay: number;
}): SimulatedEvent {
  const seed = hash(o.seed, 1, o.index);
  const venueIndex = o.index % simulatedVenues.length;
  const venue = simulatedVenues[venueIndex] ?? noVenue();
  const time = pick(startTimes, seed, 2);
  const date = toDate(o.firstDay + dayOffset(o, seed) * dayMs);
  const popularity = unit(seed, 3);
  const tracked = unit(seed, 4) < 0.75;
  const shListings = 60 + Math.floor(300 * popularity);
  return {
    index: o.index,
    seed,
    venue,
    entry: describeEvent({ ...o, seed, venue, venueIndex, date, time, tracked }),
    startsAt: Date.parse(`${date}T${time}:00Z`),
    basePriceCents: 1800 + Math.floor(9000 * popularity ** 2),
    shListings,
    vsListings: tracked ? Math.floor(shListings * 0.5) : 0,
  };
}

function noVenue(): never {
  throw new Error('the venue table is empty');
}

/** Most events are within weeks; a large catalog also has past ones, for historical searches. */
function dayOffset(o: { index: number; events: number }, seed: number): number {
  if (o.events >= 20 && o.index % 12 === 11) return -between(1, 45, seed, 5);
  return 2 + Math.floor(118 * unit(seed, 6) ** 1.6);
}

function describeEvent(o: {
  index: number;
  seed: number;
  firstDay: number;
  venue: SimulatedVenue;
  venueIndex: number;
  date: string;
  time: string;
  tracked: boolean;
}): EventObservation {
  const { index, seed, venue } = o;
  const playing = venue.home === '' ? describeShow(seed) : describeGame(seed, venue);
  const past = Date.parse(o.date) < o.firstDay;
  const seenDaysBefore = between(past ? 130 : 90, 150, seed, 7);
  return {
    event_id: 10_001 + index,
    sh_event_id: 159_000_001 + index * 3,
    vs_event_id: o.tracked ? 5_200_001 + index * 2 : null,
    event_date: o.date,
    event_time: o.time,
    tm_event_id: `G5v${hash(seed, 8).toString(36).toUpperCase()}`,
    first_seen_date: toDate(o.firstDay - seenDaysBefore * dayMs),
    ...playing,
    raw_venue_name: venue.name.replace('Theatre', 'Theater'),
    raw_venue_state: venue.state,
    venue: {
      std_venue_id: 701 + o.venueIndex,
      venue_name: venue.name,
      venue_city: venue.city,
      venue_state: venue.state,
      venue_state_name: venue.stateName,
      venue_country_code: venue.country,
      venue_country: venue.country === 'CA' ? 'Canada' : 'United States',
      venue_lat: venue.lat,
      venue_lng: venue.lng,
      venue_slug: slugOf(`${venue.name} ${venue.city}`),
      venue_tm_id: `KovZ${hash(701, o.venueIndex).toString(36)}`,
    },
  };
}

function describeGame(seed: number, venue: SimulatedVenue) {
  const rivals = simulatedVenues.filter((v) => v.kind === venue.kind && v.home !== venue.home);
  const away = rivals[hash(seed, 9) % rivals.length] ?? venue;
  return {
    event_name: `${away.home} at ${venue.home}`,
    alternate_names: [`${venue.home} vs ${away.home}`],
    std_event_id: 4001 + simulatedVenues.indexOf(venue),
    performer: venue.home,
    event_type: venue.kind === 'arena' ? 'NBA' : 'MLB',
    tour_name: '',
  };
}

function describeShow(seed: number) {
  const act = acts[hash(seed, 10) % acts.length] ?? acts[0];
  const tour = pick(tours, hash(seed, 10), 11);
  return {
    event_name: `${act}: ${tour}`,
    alternate_names: [act],
    std_event_id: 4501 + acts.indexOf(act),
    performer: act,
    event_type: 'Concert',
    tour_name: tour,
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The zone of a listing slot: slots are divided among zones by the zones' shares. */
export function zoneOfSlot(event: SimulatedEvent, slot: number) {
  const zones = zonesOf[event.venue.kind];
  let left = unit(event.seed, 12, slot);
  for (const zone of zones) {
    left -= zone.share;
    if (left < 0) return zone;
  }
  return zones[0];
}
