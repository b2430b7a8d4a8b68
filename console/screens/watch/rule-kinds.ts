// The kinds of rules as a person chooses them, each with its sentence and the draft that it begins with.
import { anyChangeParts, changeParts, extremeParts } from './change-parts.ts';
import {
  countParts,
  fillRateParts,
  levelParts,
  listingParts,
  listingsParts,
  supplyParts,
} from './level-parts.ts';
import type { ConditionJson, RuleDraft, RuleJson } from './rule-draft.ts';
import type { SentencePart } from './sentence-parts.ts';

/** What is known of the event where a draft begins. */
export interface Beginning {
  /** The price now, in dollars; undefined while none is known. */
  price: number | undefined;
  zone: string | undefined;
}

interface KindRow {
  /** In the list of kinds. */
  label: string;
  parts: (draft: RuleDraft, zones: readonly string[]) => SentencePart[];
  begin: (from: Beginning) => RuleDraft;
}

const inZone = (zone: string | undefined) => (zone === undefined ? {} : { zone });

export const ruleKinds: Readonly<Record<RuleJson['type'], KindRow>> = {
  level: {
    label: 'a price',
    parts: levelParts,
    begin: ({ price, zone }) => ({
      ...{ type: 'level', metric: 'get_in', ...inZone(zone) },
      at_or_below: levelUnder(price),
    }),
  },
  change: {
    label: 'a drop or rise',
    parts: changeParts,
    begin: ({ zone }) => ({
      ...{ type: 'change', metric: 'get_in', ...inZone(zone), drops_by: { percent: 15 } },
      from: { of: 'high', window: '24h' },
    }),
  },
  extreme: {
    label: 'a new low or high',
    parts: extremeParts,
    begin: ({ zone }) => ({
      ...{ type: 'extreme', metric: 'get_in', ...inZone(zone), new: 'low', within: '30d' },
    }),
  },
  any_change: {
    label: 'any change',
    parts: anyChangeParts,
    begin: ({ zone }) => ({ type: 'any_change', metric: 'get_in', ...inZone(zone) }),
  },
  listing: {
    label: 'a single listing',
    parts: listingParts,
    begin: ({ price, zone }) => ({
      ...{ type: 'listing', ...(zone !== undefined && { zones: [zone] }) },
      at_or_below: levelUnder(price),
    }),
  },
  supply: {
    label: 'how many are left',
    parts: supplyParts,
    begin: () => ({ type: 'supply', at_or_below: 40 }),
  },
  fill_rate: {
    label: 'the share that sold',
    parts: (draft) => fillRateParts(draft),
    begin: () => ({ type: 'fill_rate', at_or_above: 60 }),
  },
};

export const kindNames = Object.keys(ruleKinds) as RuleJson['type'][];

/** Conditions by their types; a group is told in the words of its rule. */
export const conditionKinds: Readonly<
  Record<Exclude<ConditionJson['type'], 'all_of' | 'any_of'>, KindRow>
> = {
  level: {
    label: 'a price',
    parts: (draft, zones) => levelParts(draft, zones, ['at_or_below', 'at_or_above']),
    begin: ruleKinds.level.begin,
  },
  change: {
    label: 'a drop or rise',
    parts: (draft, zones) => changeParts(draft, zones, true),
    begin: ruleKinds.change.begin,
  },
  supply: {
    label: 'how many are left',
    parts: (draft) => countParts(draft),
    begin: () => ({ type: 'supply', metric: 'total_listings_active', at_or_below: 40 }),
  },
  fill_rate: ruleKinds.fill_rate,
  listings: {
    label: 'listings that match',
    parts: listingsParts,
    begin: () => ({ type: 'listings', min_quantity: 2, at_least: 1 }),
  },
};

/** A level some 5 percent under a price, on a round number. */
export function levelUnder(price: number | undefined): number {
  if (price === undefined) return Number.NaN;
  const under = price * 0.95;
  const step = stepOf(under);
  return Math.max(1, Math.floor(under / step) * step);
}

/** The steps in which people set prices of this size, in dollars. */
export function stepOf(price: number): number {
  if (price < 60) return 1;
  if (price < 300) return 5;
  return price < 1_000 ? 10 : 50;
}
