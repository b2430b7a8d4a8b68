// A rule while a person writes it: a rule of the API with fields that may still be missing. What the page does not
// show of a rule stays as it is.
import type { ListedWatch } from '../../api/calls.ts';

export type RuleJson = ListedWatch['rules'][number]['rule'];
export type ConditionJson = NonNullable<RuleJson['all_of']>[number];
type Written = RuleJson | ConditionJson;

type FieldOf<Each> = Each extends unknown ? keyof Each : never;
type ValueOf<Each, Field> = Each extends unknown
  ? Field extends keyof Each
    ? Each[Field]
    : never
  : never;

/** A rule, or a condition of one, with any field of any kind. */
export type RuleDraft = { type: Written['type'] } & {
  [Field in Exclude<FieldOf<Written>, 'type'>]?: ValueOf<Written, Field> | undefined;
};
export type DraftField = Exclude<keyof RuleDraft, 'type'>;

/** The draft with other values; undefined removes a field. */
export function withFields(draft: RuleDraft, changes: Partial<RuleDraft>): RuleDraft {
  const all = Object.entries({ ...draft, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as RuleDraft;
}

/** The draft without fields. */
export function without(draft: RuleDraft, ...fields: readonly DraftField[]): RuleDraft {
  return withFields(draft, Object.fromEntries(fields.map((field) => [field, undefined])));
}

/** The rule as the API takes it. What is missing is told by the API. */
export function ruleOf(draft: RuleDraft): RuleJson {
  return draft as RuleJson;
}

export const sides = ['at_or_below', 'below', 'at_or_above', 'above'] as const;
export type LevelSide = (typeof sides)[number];

/** Which side of its level a draft asks for. @default at_or_below */
export function sideOf(draft: RuleDraft): LevelSide {
  return sides.find((side) => side in draft) ?? 'at_or_below';
}

/** The draft with another level or side. */
export function withSide(draft: RuleDraft, side: LevelSide, amount: number | undefined): RuleDraft {
  return withFields(without(draft, ...sides), { [side]: amount ?? Number.NaN });
}

/** The level of a draft; undefined while none is written. */
export function levelIn(draft: RuleDraft): number | undefined {
  const level = draft[sideOf(draft)];
  return level === undefined || Number.isNaN(level) ? undefined : level;
}

/** A change by percent or by an amount, and its field. */
export function changeIn(draft: RuleDraft) {
  const way = draft.rises_by ? 'rises_by' : 'drops_by';
  return { way, by: draft[way] ?? {} } as const;
}

/** Whether a rule is armed again after an alert when the number goes back. */
export function rearms({ type, becomes, from }: RuleDraft): boolean {
  if (type === 'change')
    return from !== undefined && ('window' in from || from.of === 'watch_start');
  return type === 'level' || type === 'fill_rate' || (type === 'supply' && becomes === undefined);
}

/** Whether a rule is about single listings, which cost their own pulls. */
export function isOfListings({ type, matching }: RuleDraft): boolean {
  return type === 'listing' || matching !== undefined;
}

/** Whether a slot is still empty. */
export function isIncomplete(draft: unknown): boolean {
  if (typeof draft !== 'object' || draft === null) return Number.isNaN(draft) || draft === '';
  return Object.values(draft).some(isIncomplete);
}
