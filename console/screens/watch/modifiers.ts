// What a person can add to a rule: when and how often it tells. A row for each, in plain words. The API says which
// kinds of rules take which; test/console/modifiers.test.ts compares.
import {
  type AmountField,
  alreadyParts,
  amountPart,
  beginningRearm,
  coolDownParts,
  isKept,
  isWindowed,
  isWindowPercent,
  leastOf,
  leastPart,
  noDataParts,
  rearmParts,
  withLeast,
} from './modifier-parts.ts';
import {
  changeIn,
  type DraftField,
  isOfListings,
  type RuleDraft,
  rearms,
  withFields,
  without,
} from './rule-draft.ts';
import { date, type SentencePart } from './sentence-parts.ts';

export interface ModifierRow {
  /** In the list of what can be added. */
  label: string;
  /** The fields of the rule that it writes. */
  fields: readonly DraftField[];
  /** Whether this rule takes it. @default every rule does */
  fits?: (draft: RuleDraft) => boolean;
  isSet?: (draft: RuleDraft) => boolean;
  begin: (draft: RuleDraft) => RuleDraft;
  parts: (draft: RuleDraft) => SentencePart[];
  remove?: (draft: RuleDraft) => RuleDraft;
}

/** Kinds that tell at once what is so already, unless they are asked to wait. */
const firesByDefault: ReadonlySet<string> = new Set(['level', 'supply', 'fill_rate', 'listing']);

interface AmountRow {
  field: AmountField;
  /** What it begins with. */
  first: number;
  /** Of the slot. */
  name: string;
  unit?: '%';
  /** Before and after the slot. */
  words: [string, string];
  fits?: ModifierRow['fits'];
}

/** A modifier of one number. */
function ofAmount(
  label: string,
  { field, first, name, unit, words, fits }: AmountRow,
): ModifierRow {
  return {
    ...{ label, fields: [field], ...(fits && { fits }) },
    begin: (draft) => withFields(draft, { [field]: first }),
    parts: (draft) => [words[0], amountPart(draft, field, name, unit ?? ''), words[1]],
  };
}

export const modifiers: readonly ModifierRow[] = [
  ofAmount('only if it stays so', {
    ...{ field: 'confirmations', first: 2, name: 'Refreshes' },
    words: ['only if it stays so for', 'refreshes in a row'],
  }),
  {
    label: 'at most one alert in some hours',
    fields: ['cool_down_minutes'],
    begin: (draft) => withFields(draft, { cool_down_minutes: 240 }),
    parts: coolDownParts,
  },
  ofAmount('at most some alerts a day', {
    ...{ field: 'at_most_per_day', first: 3, name: 'Alerts' },
    words: ['at most', 'alerts in 24 hours'],
  }),
  ofAmount('only shortly before the event', {
    ...{ field: 'within_days_of_event', first: 7, name: 'Days' },
    words: ['only in the last', 'days before the event'],
  }),
  {
    label: 'only until a date',
    fields: ['expires_at'],
    begin: (draft) => withFields(draft, { expires_at: '' }),
    parts: (draft) => [
      'only until',
      date({
        ...{ name: 'Until', field: 'expires_at', value: draft.expires_at ?? '' },
        put: (value) => withFields(draft, { expires_at: value }),
      }),
    ],
  },
  ofAmount('again while it goes further', {
    ...{ field: 'repeat_every_further_percent', first: 5, name: 'Step', unit: '%' },
    words: ['and again at every further', ''],
    fits: (draft) =>
      draft.type === 'level' ||
      (draft.type === 'supply' && rearms(draft)) ||
      draft.from?.of === 'watch_start' ||
      isWindowPercent(draft),
  }),
  {
    label: 'again only after it went back',
    fields: ['rearm_percent', 'rearm_amount'],
    fits: rearms,
    begin: (draft) => withFields(draft, { rearm_percent: beginningRearm(draft) }),
    parts: rearmParts,
  },
  ofAmount('with a fee added', {
    ...{ field: 'fee_percent', first: 25, name: 'Fee', unit: '%' },
    words: ['with a fee of', 'added to each price'],
    fits: ({ type }) => type === 'level' || type === 'listing',
  }),
  {
    label: 'by at least some dollars',
    fields: ['min_amount'],
    fits: (draft) =>
      draft.type === 'extreme' || (draft.type === 'change' && !changeIn(draft).by.amount),
    isSet: (draft) => leastOf(draft) !== undefined,
    begin: (draft) => withLeast(draft, 5),
    parts: (draft) => ['and by at least', leastPart(draft)],
    remove: (draft) => withLeast(draft, undefined),
  },
  {
    label: 'also in quiet hours',
    fields: ['urgent'],
    begin: (draft) => withFields(draft, { urgent: true }),
    parts: () => ['also in quiet hours, and never in a digest'],
  },
  {
    label: 'if it is so already',
    fields: ['when_already_true'],
    fits: (draft) => !isKept(draft),
    begin: (draft) =>
      withFields(draft, { when_already_true: tellsAtOnce(draft) ? 'wait' : 'fire' }),
    parts: alreadyParts,
  },
  {
    label: 'when there is no price',
    fields: ['on_no_data'],
    fits: (draft) => !isOfListings(draft),
    begin: (draft) => withFields(draft, { on_no_data: 'alert' }),
    parts: noDataParts,
  },
  {
    label: 'tell me when it went back',
    fields: ['tell_recovery'],
    fits: (draft) => rearms(draft) && (draft.type !== 'change' || draft.from?.of === 'watch_start'),
    begin: (draft) => withFields(draft, { tell_recovery: true }),
    parts: () => ['and tell me when it went back'],
  },
  ofAmount('only once enough prices are known', {
    ...{ field: 'min_history_hours', first: 6, name: 'Hours' },
    words: ['only once', 'hours of prices are known'],
    fits: (draft) => (draft.type === 'change' || draft.type === 'extreme') && isWindowed(draft),
  }),
];

/** Whether a rule that is true already when it is made tells that at once. */
export function tellsAtOnce({ type, becomes, when_already_true: when }: RuleDraft): boolean {
  if (when !== undefined) return when === 'fire';
  return firesByDefault.has(type) && becomes === undefined;
}

/** Whether a rule has it. */
export function isSet({ fields, isSet: asks }: ModifierRow, draft: RuleDraft): boolean {
  if (asks) return asks(draft);
  return fields.some((field) => draft[field] !== undefined && draft[field] !== false);
}

/** The rule without it. */
export function removed(row: ModifierRow, draft: RuleDraft): RuleDraft {
  return row.remove ? row.remove(draft) : without(draft, ...row.fields);
}

/** A draft of another kind keeps only what its kind takes. */
export function withoutMisfits(draft: RuleDraft): RuleDraft {
  return modifiers
    .filter((row) => isSet(row, draft) && row.fits && !row.fits(draft))
    .reduce((left, row) => removed(row, left), draft);
}
