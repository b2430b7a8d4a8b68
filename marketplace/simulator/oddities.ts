/**
 * The oddities of simulated events, one row a kind: each changes the catalog entry, or the time or
 * the listings of a refresh. Pure functions; the simulator applies them.
 */
import type { EventObservation, ListingSet } from '../ingest/observations.ts';
import { hash, unit } from './random.ts';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** The state of an odd event at a refresh; `age` is the time since the event was added, ms. */
export interface OddMoment {
  age: number;
  /** Refreshes since the event was added. */
  turn: number;
}

export interface Oddity {
  /** One line of description. */
  about: string;
  /** The catalog entry at that moment. */
  entry?: (entry: EventObservation, moment: OddMoment) => EventObservation;
  /** Whether the service knows the event at that moment. @default it does */
  isKnown?: (moment: OddMoment) => boolean;
  /** Added to the time of a refresh, ms. */
  offsetMs?: number;
  /** The set as it is observed. */
  set?: (set: ListingSet, moment: OddMoment) => ListingSet;
  /** Whether this refresh's snapshot is published after the next one's. */
  isLate?: (moment: OddMoment) => boolean;
  /** Whether `vs` can't be read at that moment. */
  isVsUnavailable?: (moment: OddMoment) => boolean;
}

/** Odd from the third refresh on, so that the normal state is seen first. */
const oddFrom = 3;
const isOdd = ({ turn }: OddMoment): boolean => turn >= oddFrom;

function renameZones(name: (zone: string) => string): NonNullable<Oddity['set']> {
  return (set) => ({
    ...set,
    listings: set.listings.map((listing) => ({ ...listing, zone: name(listing.zone ?? '') })),
  });
}

export const oddities = {
  postponed: {
    about: 'postponed by a week, from the third refresh on',
    entry: (entry, moment) =>
      isOdd(moment)
        ? {
            ...entry,
            event_date: new Date(Date.parse(entry.event_date) + 7 * dayMs)
              .toISOString()
              .slice(0, 10),
          }
        : entry,
  },
  cancelled: {
    about: 'has "cancelled" in its name and no listings, from the third refresh on',
    entry: (entry, moment) =>
      isOdd(moment) ? { ...entry, event_name: `Cancelled: ${entry.event_name}` } : entry,
    set: (set, moment) => (isOdd(moment) ? { ...set, listings: [] } : set),
  },
  unknown_for_an_hour: {
    about: 'answers 404 for the first hour after its third refresh',
    isKnown: ({ age, turn }) => turn < oddFrom || age >= hourMs,
  },
  renamed_zones: {
    about: 'its zones get other names at the third refresh',
    set: (set, moment) =>
      isOdd(moment) ? renameZones((zone) => (zone === '' ? '' : `New ${zone}`))(set, moment) : set,
  },
  zone_constructor: { about: 'a zone named `constructor`', set: renameZones(() => 'constructor') },
  zone_proto: { about: 'a zone named `__proto__`', set: renameZones(() => '__proto__') },
  zone_replacement: {
    about: 'zones with U+FFFD (half an emoji, as it is stored) and a control character',
    set: renameZones((zone) => `${zone} \ufffd\u0001`),
  },
  zone_long: {
    about: 'zones with names of 5,000 letters',
    set: renameZones((zone) => `${zone} ${'x'.repeat(5000)}`.slice(0, 5000)),
  },
  mis_keyed_price: {
    about: 'one listing a hundredth of its price, at every fourth refresh',
    set: (set, { turn }) =>
      turn % 4 === oddFrom
        ? {
            ...set,
            listings: set.listings.map((listing, index) =>
              index === 0 ? { ...listing, price: Math.ceil(listing.price) / 100 } : listing,
            ),
          }
        : set,
  },
  late_snapshots: {
    about: 'every third snapshot is published after the next one',
    isLate: ({ turn }) => turn >= oddFrom && turn % 3 === 0,
  },
  clock_ahead: { about: 'stamped ten minutes ahead', offsetMs: 10 * 60_000 },
  clock_behind: { about: 'stamped ten minutes behind', offsetMs: -10 * 60_000 },
  source_unavailable: {
    about: 'vs can’t be read during four of every eight refreshes',
    isVsUnavailable: ({ turn }) => turn % 8 >= 4,
  },
  unlisted_venue: {
    about: 'its venue is not normalized: a raw name only',
    entry: (entry) => ({
      ...entry,
      venue: null,
      raw_venue_name: entry.raw_venue_name ?? entry.venue?.venue_name ?? 'Unlisted venue',
    }),
  },
} as const satisfies Record<string, Oddity>;

export type OddityKind = keyof typeof oddities;

export const oddityKinds = Object.keys(oddities) as OddityKind[];

/** Which events are odd: those listed in `events`, and a random share of the others by seed. */
export interface OddPlan {
  /** 0 to 1. @default 0 */
  share?: number | undefined;
  /** Kind by index in the catalog; takes precedence over the share. */
  events?: Readonly<Record<number, OddityKind>> | undefined;
}

/** The oddity of an event, or undefined; the same for the same seed. */
export function oddityOf(
  event: { index: number; seed: number },
  plan: OddPlan,
): Oddity | undefined {
  const named = plan.events?.[event.index];
  if (named !== undefined) return oddities[named];
  if (unit(event.seed, 70) >= (plan.share ?? 0)) return undefined;
  const kind = oddityKinds[hash(event.seed, 71) % oddityKinds.length];
  return kind && oddities[kind];
}
