// The series of listings snapshots. For each filter: the cheapest match, the cheapest match if it is new, and
// the number of matches.
import { feedKindRows } from '#shared/polling/feed-kinds.ts';
import type { FilterKey } from '../language/listing-filter.ts';
import type { FilterSummary, ListingsSnapshot } from '../listings-snapshot.ts';
import type { SnapshotSource } from './snapshot-source.ts';

const listingMeasures = ['cheapest', 'new_cheapest', 'count'] as const;
type ListingMeasure = (typeof listingMeasures)[number];

export interface ListingSeries {
  kind: 'listings';
  measure: ListingMeasure;
  filter: FilterKey;
}

export function listingSeries(measure: ListingMeasure, filter: FilterKey): ListingSeries {
  return { kind: 'listings', measure, filter };
}

export const listings: SnapshotSource<ListingsSnapshot, ListingSeries> = {
  feedKind: 'listings',

  keyOf: ({ measure, filter }) => `${feedKindRows.listings.seriesPrefix}${measure}/${filter}`,

  parse([, name, filter]) {
    const measure = listingMeasures.find((known) => known === name);
    const isWhole = measure !== undefined && filter !== undefined;
    return { series: isWhole ? listingSeries(measure, filter) : undefined, length: 3 };
  },

  unitOf: ({ measure }) => (measure === 'count' ? 'count' : 'price'),

  wordsOf: ({ measure }) => (measure === 'count' ? 'matching listings' : 'price'),

  valuesOf: ({ filters }) =>
    Object.entries(filters).flatMap(([filter, summary]): [ListingSeries, number | null][] => [
      [listingSeries('cheapest', filter), summary.cheapestCents],
      [listingSeries('count', filter), summary.count],
    ]),

  valueOf({ measure, filter }, snapshot) {
    const summary = summaryOf(snapshot, filter);
    if (summary === undefined) return null;
    if (measure === 'count') return summary.count;
    return measure === 'cheapest' ? summary.cheapestCents : summary.newCheapestCents;
  },

  currentOf: (base) => (base.measure === 'new_cheapest' ? { ...base, measure: 'cheapest' } : base),

  /** Only alerts of listing rules name listings; alerts about counts do not. */
  listingsOf: ({ measure, filter }, snapshot) =>
    measure === 'new_cheapest' ? (summaryOf(snapshot, filter)?.matches ?? []) : [],

  isLive: ({ filters }) => Object.values(filters).some(({ count }) => count > 0),
};

function summaryOf({ filters }: ListingsSnapshot, filter: FilterKey): FilterSummary | undefined {
  return Object.hasOwn(filters, filter) ? filters[filter] : undefined;
}
