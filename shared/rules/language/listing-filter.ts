/**
 * A filter of listings as a canonical key: rules with equal filters share one series. Matches rows; fetches
 * none.
 */
import type { Listing } from '#shared/marketplace/reading/listings.ts';
import { canonicalPatterns, matchesSeatPattern, parseSeatPattern } from './seat-pattern.ts';

/** Sections and rows are seat patterns; an absent field matches everything. */
export interface ListingFilter {
  zones?: readonly string[] | undefined;
  sections?: readonly string[] | undefined;
  rows?: readonly string[] | undefined;
  min_quantity?: number | undefined;
}

/** `min_quantity=2;sections=101-105,CLUB*`; `all` for every listing. */
export type FilterKey = string;

/** The key of a filter whose patterns are valid; equal filters have equal keys. */
export function filterKeyOf(filter: ListingFilter): FilterKey {
  const parts: string[] = [];
  const minQuantity = filter.min_quantity ?? 1;
  if (minQuantity > 1) parts.push(`min_quantity=${minQuantity}`);
  if (filter.rows) parts.push(`rows=${joinPatterns(filter.rows)}`);
  if (filter.sections) parts.push(`sections=${joinPatterns(filter.sections)}`);
  if (filter.zones) parts.push(`zones=${joinNames([...new Set(filter.zones)].sort())}`);
  return parts.length === 0 ? 'all' : parts.join(';');
}

function joinPatterns(patterns: readonly string[]): string {
  const parsed = patterns.map((pattern) => parseSeatPattern(pattern) ?? pattern);
  return joinNames(canonicalPatterns(parsed));
}

/** `encodeURIComponent` keeps `*` and `-` and encodes `,`, `;`, `=` and `/`. */
function joinNames(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(',');
}

type MatchableListing = Pick<Listing, 'zone' | 'section' | 'row' | 'quantity'>;

/** The parts of a filter that stats can check: the zones, null for any, and the quantity. */
export function listingFilterBounds(key: FilterKey): {
  zones: readonly string[] | null;
  minQuantity: number;
} {
  const { zones, minQuantity } = readKey(key);
  return { zones: zones ?? null, minQuantity };
}

/** The filter of a key; equal to the one that the key was made of, in canonical order. */
export function listingFilterOf(key: FilterKey): ListingFilter {
  const { minQuantity, ...patterns } = readKey(key);
  return { ...patterns, min_quantity: minQuantity };
}

/** The predicate of a filter key. */
export function listingMatcher(key: FilterKey): (listing: MatchableListing) => boolean {
  const { zones, sections, rows, minQuantity } = readKey(key);
  return (listing) =>
    listing.quantity >= minQuantity &&
    (zones?.includes(listing.zone) ?? true) &&
    (sections?.some((pattern) => matchesSeatPattern(pattern, listing.section)) ?? true) &&
    (rows?.some((pattern) => matchesSeatPattern(pattern, listing.row)) ?? true);
}

function readKey(key: FilterKey) {
  const parts = new Map(key.split(';').map(readPart));
  return {
    zones: parts.get('zones'),
    sections: parts.get('sections'),
    rows: parts.get('rows'),
    minQuantity: Number(parts.get('min_quantity')?.[0] ?? 1),
  };
}

function readPart(part: string): [string, string[]] {
  const [name = '', values = ''] = part.split('=');
  return [name, values.split(',').map(decodeURIComponent)];
}
