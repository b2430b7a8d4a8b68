// The slots that say what a rule watches: a number, where, and single listings.
import { type RuleDraft, withFields } from './rule-draft.ts';
import {
  choice,
  missing,
  number,
  type Option,
  optionsOf,
  type SentencePart,
  text,
  written,
} from './sentence-parts.ts';

const priceMetrics = {
  get_in: 'get-in',
  get_in_qty2plus: 'get-in for two together',
  median_price: 'median price',
  avg_price: 'average price',
} as const;
const listingsMetric = { total_listings_active: 'the number of listings' } as const;

/** The number and the zone that a rule is about. @param also other numbers than prices */
export function subjectParts(
  draft: RuleDraft,
  zones: readonly string[],
  also: 'listings' | 'none' = 'none',
): SentencePart[] {
  const isPair = draft.metric === 'get_in' && draft.min_quantity === 2;
  const metric = choice({
    name: 'Which number',
    value: isPair ? 'get_in_qty2plus' : (draft.metric ?? 'get_in'),
    options: optionsOf({ ...priceMetrics, ...(also === 'listings' && listingsMetric) }),
    put: (value) =>
      withFields(draft, {
        metric: value as NonNullable<RuleDraft['metric']>,
        min_quantity: undefined,
        ...(value === 'total_listings_active' && { zone: undefined }),
      }),
  });
  // Only prices are known by zone.
  if (draft.metric === 'total_listings_active') return [metric];
  return [metric, 'of', zonePart(draft, zones)];
}

const anySeat: Option = { value: '', text: 'any seat' };

/** One zone, or any seat. A zone that the event does not list now stays an option. */
export function zonePart(draft: RuleDraft, zones: readonly string[]): SentencePart {
  const { zone = '' } = draft;
  const known = zone === '' || zones.includes(zone) ? zones : [...zones, zone];
  return choice({
    name: 'Where',
    value: zone,
    options: [anySeat, ...known.map((each) => ({ value: each, text: each }))],
    put: (value) => withFields(draft, { zone: value === '' ? undefined : value }),
  });
}

/** Stands for several zones, which a page that shows one slot keeps. No zone has this name: names are trimmed. */
const several = ' ';

type Filter = Pick<RuleDraft, 'zones' | 'sections' | 'rows' | 'min_quantity'>;

/** The slots of a filter of single listings. @param put the draft with another filter */
export function filterParts(
  filter: Filter,
  zones: readonly string[],
  { put, field = '' }: { put: (filter: Filter) => RuleDraft; field?: string },
): SentencePart[] {
  const own = filter.zones ?? [];
  const isSeveral = own.length > 1;
  const known = [...new Set([...zones, ...(isSeveral ? [] : own)])];
  const patterns = (name: 'sections' | 'rows', label: string, hint: string) =>
    text({
      ...{ name: label, hint, field: `${field}${name}` },
      value: (filter[name] ?? []).join(', '),
      put: (written) => {
        const list = written.split(',').flatMap((each) => each.trim() || []);
        return put({ ...filter, [name]: list.length === 0 ? undefined : list });
      },
    });
  return [
    'in',
    choice({
      name: 'Zone',
      value: isSeveral ? several : (own[0] ?? ''),
      options: [
        { value: '', text: 'any zone' },
        ...(isSeveral ? [{ value: several, text: own.join(', ') }] : []),
        ...known.map((each) => ({ value: each, text: each })),
      ],
      put: (value) => {
        if (value === several) return put(filter);
        return put({ ...filter, zones: value === '' ? undefined : [value] });
      },
    }),
    'section',
    patterns('sections', 'Sections', 'any, or 101-118, CLUB*'),
    'row',
    patterns('rows', 'Rows', 'any, or A-K, 1-10'),
    'with',
    number({
      ...{ name: 'Seats together', unit: '', field: `${field}min_quantity` },
      value: written(filter.min_quantity ?? 1),
      put: (amount) =>
        put({ ...filter, min_quantity: amount === 1 ? undefined : (amount ?? missing) }),
    }),
    'or more together',
  ];
}
