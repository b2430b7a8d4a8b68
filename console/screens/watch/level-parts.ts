// The slots that say which level a number must reach: a price, a share, a count of listings, a single listing.
import {
  type LevelSide,
  levelIn,
  type RuleDraft,
  sideOf,
  sides,
  withFields,
  without,
  withSide,
} from './rule-draft.ts';
import {
  choice,
  missing,
  number,
  optionsOf,
  type SentencePart,
  written,
} from './sentence-parts.ts';
import { filterParts, subjectParts, zonePart } from './subject-parts.ts';

const sideWords: Readonly<Record<LevelSide, string>> = {
  at_or_below: 'is at or below',
  below: 'is below',
  at_or_above: 'is at or above',
  above: 'is above',
};

/** `is at or below $120`. @param which the sides that this kind has */
export function sideParts(
  draft: RuleDraft,
  unit: '$' | '%' | '',
  which: readonly LevelSide[] = ['at_or_below', 'at_or_above'],
): SentencePart[] {
  const side = sideOf(draft);
  return [
    choice({
      name: 'Which side',
      value: side,
      options: which.map((each) => ({ value: each, text: sideWords[each] })),
      put: (value) => withSide(draft, value as LevelSide, levelIn(draft)),
    }),
    number({
      ...{ name: 'Level', unit, field: side, value: levelIn(draft) },
      put: (amount) => withSide(draft, side, amount),
    }),
  ];
}

export function levelParts(
  draft: RuleDraft,
  zones: readonly string[],
  which: readonly LevelSide[] = sides,
): SentencePart[] {
  return [...subjectParts(draft, zones), ...sideParts(draft, '$', which)];
}

export function fillRateParts(draft: RuleDraft): SentencePart[] {
  return ['the share of listings that sold', ...sideParts(draft, '%')];
}

/** Listings that are counted: all, those of a zone, or those that match a filter. */
export function supplyParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  const { becomes, matching } = draft;
  const what = choice({
    name: 'What happens',
    value: becomes ?? '',
    options: optionsOf({
      '': 'the number of listings',
      available: 'the first listing appears',
      sold_out: 'the last listing is gone',
    }),
    put: (value) =>
      value === ''
        ? withSide(without(draft, 'becomes', 'zone'), sideOf(draft), levelIn(draft))
        : withFields(without(draft, ...sides), { becomes: value as 'available' | 'sold_out' }),
  });
  const where = choice({
    name: 'Which listings',
    value: matching ? 'matching' : 'all',
    options: optionsOf({
      all: becomes ? 'in the zone' : 'of the event',
      matching: 'that match',
    }),
    put: (value) =>
      value === 'matching'
        ? withFields(without(draft, 'zone'), { matching: {} })
        : without(draft, 'matching'),
  });
  const seats = matching
    ? filterParts(matching, zones, {
        put: (filter) => withFields(draft, { matching: withoutUndefined(filter) }),
        field: 'matching/',
      })
    : becomes
      ? [zonePart(draft, zones)]
      : [];
  return [what, where, ...seats, ...(becomes ? [] : sideParts(draft, ''))];
}

export function listingParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  return [
    'a new listing',
    ...filterParts(draft, zones, { put: (filter) => withFields(draft, filter) }),
    'costs at most',
    number({
      ...{ name: 'Level', unit: '$', field: 'at_or_below', value: levelIn(draft) },
      put: (amount) => withFields(draft, { at_or_below: amount ?? missing }),
    }),
  ];
}

/** As a condition: the number of all listings. */
export function countParts(draft: RuleDraft): SentencePart[] {
  return ['the number of listings', ...sideParts(draft, '')];
}

/** As a condition: so many listings match. */
export function listingsParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  return [
    'at least',
    number({
      ...{ name: 'How many', unit: '', field: 'at_least', value: written(draft.at_least) },
      put: (amount) => withFields(draft, { at_least: amount ?? missing }),
    }),
    'listings are',
    ...filterParts(draft, zones, { put: (filter) => withFields(draft, filter) }),
  ];
}

function withoutUndefined<Some extends object>(some: Some): Some {
  return Object.fromEntries(
    Object.entries(some).filter(([, value]) => value !== undefined),
  ) as Some;
}
