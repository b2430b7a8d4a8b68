// The slots of what can be added to a rule, where they are more than a number.
import { changeIn, type RuleDraft, rearms, withFields, without } from './rule-draft.ts';
import {
  choice,
  missing,
  number,
  optionsOf,
  type SentencePart,
  written,
} from './sentence-parts.ts';

/** Fields of one number without further choice. */
export type AmountField =
  | 'confirmations'
  | 'at_most_per_day'
  | 'within_days_of_event'
  | 'repeat_every_further_percent'
  | 'fee_percent'
  | 'min_history_hours';

/** A slot of one number of the rule. */
export function amountPart(draft: RuleDraft, field: AmountField, name: string, unit: '%' | '') {
  return number({
    ...{ name, unit, field, value: written(draft[field]) },
    put: (value) => withFields(draft, { [field]: value ?? missing }),
  });
}

export const isWindowed = ({ type, from }: RuleDraft) =>
  type === 'extreme' || (from !== undefined && 'window' in from);
export const isWindowPercent = (draft: RuleDraft) =>
  draft.type === 'change' && isWindowed(draft) && changeIn(draft).by.amount === undefined;
/** Whether the rule keeps its baseline, so that it is never true when it is made. */
export const isKept = ({ from }: RuleDraft) =>
  from?.of === 'watch_start' || from?.of === 'last_alert';

const minutesIn = { m: 1, h: 60, d: 1_440 } as const;
type Unit = keyof typeof minutesIn;
const unitOf = (minutes: number): Unit =>
  minutes % minutesIn.d === 0 ? 'd' : minutes % minutesIn.h === 0 ? 'h' : 'm';

export function coolDownParts(draft: RuleDraft): SentencePart[] {
  const minutes = draft.cool_down_minutes ?? missing;
  const unit = unitOf(minutes);
  return [
    'at most one alert in',
    number({
      ...{ name: 'How long', unit: '', field: 'cool_down_minutes' },
      value: written(minutes / minutesIn[unit]),
      put: (value) =>
        withFields(draft, { cool_down_minutes: (value ?? missing) * minutesIn[unit] }),
    }),
    choice({
      name: 'Unit of time',
      value: unit,
      options: optionsOf({ m: 'minutes', h: 'hours', d: 'days' }),
      put: (value) =>
        withFields(draft, {
          cool_down_minutes: (minutes / minutesIn[unit]) * minutesIn[value as Unit],
        }),
    }),
  ];
}

/** Of a change in percent, part of it must remain. */
export function beginningRearm(draft: RuleDraft): number {
  const { percent = missing } = isWindowPercent(draft) ? changeIn(draft).by : {};
  return Math.min(5, percent / 2 || 5);
}

export function rearmParts(draft: RuleDraft): SentencePart[] {
  const field = draft.rearm_amount === undefined ? 'rearm_percent' : 'rearm_amount';
  const units = {
    rearm_percent: '%',
    ...(!isWindowPercent(draft) && { rearm_amount: unitWord(draft) }),
  };
  const rest = without(draft, 'rearm_percent', 'rearm_amount');
  return [
    'again only after it went back by',
    number({
      ...{ name: 'How far back', unit: '', field, value: written(draft[field]) },
      put: (value) => withFields(rest, { [field]: value ?? missing }),
    }),
    choice({
      ...{ name: 'Percent or amount', value: field, options: optionsOf(units) },
      put: (value) => withFields(rest, { [value]: missing }),
    }),
  ];
}

function unitWord({ type, metric }: RuleDraft): string {
  if (type === 'fill_rate') return 'points';
  return type === 'supply' || metric === 'total_listings_active' ? 'listings' : 'dollars';
}

export function alreadyParts(draft: RuleDraft): SentencePart[] {
  return [
    'if it is so already,',
    choice({
      name: 'If it is so already',
      value: draft.when_already_true ?? 'wait',
      options: optionsOf({
        ...(!isKept(draft) && { fire: 'tell me at once' }),
        wait: 'wait for the next time',
      }),
      put: (value) => withFields(draft, { when_already_true: value as 'fire' | 'wait' }),
    }),
  ];
}

export function noDataParts(draft: RuleDraft): SentencePart[] {
  return [
    'when there is no price,',
    choice({
      name: 'When there is no price',
      value: draft.on_no_data ?? 'alert',
      options: optionsOf({
        alert: 'tell me',
        ...(isCleared(draft) && { clear: 'count it as gone back' }),
        keep: 'do nothing',
      }),
      put: (value) => withFields(draft, { on_no_data: value as 'alert' | 'clear' | 'keep' }),
    }),
  ];
}

export function leastOf(draft: RuleDraft): number | undefined {
  return draft.type === 'extreme' ? draft.min_amount : changeIn(draft).by.min_amount;
}

export function withLeast(draft: RuleDraft, least: number | undefined): RuleDraft {
  if (draft.type === 'extreme') return withFields(draft, { min_amount: least });
  const { way, by } = changeIn(draft);
  const { min_amount: _least, ...rest } = by;
  return withFields(draft, { [way]: least === undefined ? rest : { ...rest, min_amount: least } });
}

function isCleared(draft: RuleDraft): boolean {
  return draft.type === 'supply' || rearms(draft);
}

export function leastPart(draft: RuleDraft): SentencePart {
  return number({
    ...{ name: 'Least amount', unit: '$', value: written(leastOf(draft)) },
    field: draft.type === 'extreme' ? 'min_amount' : `${changeIn(draft).way}/min_amount`,
    put: (value) => withLeast(draft, value ?? missing),
  });
}
