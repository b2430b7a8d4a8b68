// The slots that say how much a number must change, and since when.
import { changeIn, type RuleDraft, withFields, without } from './rule-draft.ts';
import {
  choice,
  missing,
  number,
  optionsOf,
  type SentencePart,
  written,
} from './sentence-parts.ts';
import { subjectParts } from './subject-parts.ts';

const windows = {
  '1h': 'the last hour',
  '6h': 'the last 6 hours',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
} as const;
type WindowOfRule = keyof typeof windows;

const windowBaselines = {
  high: 'its highest of',
  low: 'its lowest of',
  start: 'what it was at the start of',
  median: 'its median of',
} as const;
const previousBaseline = { previous_snapshot: 'the refresh before' } as const;
const keptBaselines = {
  last_alert: 'the last alert',
  watch_start: 'what it is when the watch begins',
} as const;

type Baseline = NonNullable<RuleDraft['from']>;

/** A value is never below the low of a window that it is in, nor above its high. */
const never = { drops_by: 'low', rises_by: 'high' } as const;

/** The draft for the other way. Its baseline is then the other end of the window. */
function withWay(draft: RuleDraft, way: keyof typeof never): RuleDraft {
  const { way: before, by } = changeIn(draft);
  const isNever = draft.from?.of === never[way];
  const turned = withFields(without(draft, before), { [way]: by });
  return isNever ? withBaseline(turned, way === 'drops_by' ? 'high' : 'low') : turned;
}

function withBaseline(draft: RuleDraft, of: string): RuleDraft {
  const window = draft.from && 'window' in draft.from ? draft.from.window : '24h';
  const from = (of in windowBaselines ? { of, window } : { of }) as Baseline;
  return withFields(draft, { from });
}

/** `drops by 15 % from its highest of the last 24 hours`. @param isCondition conditions have no kept baselines */
export function changeParts(
  draft: RuleDraft,
  zones: readonly string[],
  isCondition = false,
): SentencePart[] {
  const { way, by } = changeIn(draft);
  const from = draft.from ?? { of: 'previous_snapshot' };
  const isPercent = by.amount === undefined;
  const field = isPercent ? 'percent' : 'amount';
  const isCount = draft.metric === 'total_listings_active';
  return [
    ...subjectParts(draft, zones, isCondition ? 'none' : 'listings'),
    choice({
      name: 'Which way',
      value: way,
      options: optionsOf({ drops_by: 'drops by', rises_by: 'rises by' }),
      put: (value) => withWay(draft, value as keyof typeof never),
    }),
    number({
      ...{ name: 'By how much', unit: '', field: `${way}/${field}`, value: written(by[field]) },
      put: (amount) => withFields(draft, { [way]: { ...by, [field]: amount ?? missing } }),
    }),
    choice({
      name: 'Percent or amount',
      value: field,
      options: optionsOf({ percent: '%', amount: isCount ? 'listings' : 'dollars' }),
      put: (value) => withFields(draft, { [way]: { [value]: by[field] ?? missing } }),
    }),
    'from',
    choice({
      name: 'From what',
      value: from.of,
      options: optionsOf({
        ...windowBaselines,
        ...previousBaseline,
        ...(!isCondition && keptBaselines),
      }).filter(({ value }) => value !== never[way]),
      put: (value) => withBaseline(draft, value),
    }),
    ...('window' in from
      ? [
          choice({
            name: 'Of which time',
            value: from.window,
            options: optionsOf(windows),
            put: (value) => withFields(draft, { from: { ...from, window: value as WindowOfRule } }),
          }),
        ]
      : []),
  ];
}

export function extremeParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  return [
    ...subjectParts(draft, zones),
    'is at',
    choice({
      name: 'Low or high',
      value: draft.new ?? 'low',
      options: optionsOf({ low: 'a new low', high: 'a new high' }),
      put: (value) => withFields(draft, { new: value as 'low' | 'high' }),
    }),
    'of',
    choice({
      name: 'Of which time',
      value: draft.within ?? '30d',
      options: optionsOf({ ...windows, ever: 'all time' }),
      put: (value) => withFields(draft, { within: value as NonNullable<RuleDraft['within']> }),
    }),
  ];
}

export function anyChangeParts(draft: RuleDraft, zones: readonly string[]): SentencePart[] {
  const { min_percent: percent, min_amount: amount } = draft;
  const field = percent === undefined ? 'min_amount' : 'min_percent';
  const isAny = percent === undefined && amount === undefined;
  const rest = without(draft, 'min_percent', 'min_amount');
  return [
    ...subjectParts(draft, zones),
    'changes',
    choice({
      name: 'How much',
      value: isAny ? '' : field,
      options: optionsOf({
        '': 'at all',
        min_percent: 'by at least so many %',
        min_amount: 'by at least so many $',
      }),
      put: (value) => (value === '' ? rest : withFields(rest, { [value]: percent ?? amount ?? 1 })),
    }),
    ...(isAny
      ? []
      : [
          number({
            ...{ name: 'By how much', unit: field === 'min_amount' ? '$' : '%', field },
            value: written(percent ?? amount),
            put: (value) => withFields(rest, { [field]: value ?? missing }),
          } as const),
        ]),
  ];
}
