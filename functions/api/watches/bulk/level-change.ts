// Changes the dollar levels of a watch's rules: to an amount, by an amount, or by a percent. Pure.
import * as z from 'zod';
import { priceSchema } from '#shared/rules/language/amount-schema.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { priceMetricNames } from '#shared/rules/metric.ts';
import { changedByPercent } from '#shared/rules/money.ts';
import { centsOf } from '#shared/rules/units.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';

const hundredths = (value: number) => Number.isInteger(Math.round(value * 1e6) / 1e4);

export const levelChangeSchema = z
  .strictObject({
    type: z.literal('change_level'),
    to: priceSchema.optional().meta({ description: 'The new level, dollars' }),
    by_dollars: z
      .number()
      .min(-1_000_000)
      .max(1_000_000)
      .refine((value) => value !== 0 && hundredths(value), {
        error: 'must be an amount other than 0, with at most two decimals',
      })
      .optional()
      .meta({ description: 'Added to the level; below 0 lowers it' }),
    by_percent: z
      .number()
      .gt(-100)
      .max(1_000)
      .refine((value) => value !== 0 && hundredths(value), {
        error: 'must be a percent other than 0, with at most two decimals',
      })
      .optional()
      .meta({ description: 'Percent of the level, added to it and rounded to the cent' }),
    metric: z
      .enum(priceMetricNames)
      .optional()
      .meta({ description: 'Only rules of this metric; without it, rules of every price metric' }),
    rule_type: z
      .enum(['level', 'listing'])
      .optional()
      .meta({ description: 'Only rules of this type; without it, both types' }),
  })
  .refine(
    ({ to, by_dollars, by_percent }) =>
      [to, by_dollars, by_percent].filter((each) => each !== undefined).length === 1,
    { error: 'must have one of `to`, `by_dollars` and `by_percent`' },
  )
  .meta({
    id: 'ChangeLevelAction',
    description:
      'Changes the level of rules of the types level and listing. Other rules stay as they are, and `detail` names them.',
  });

export type LevelChange = z.infer<typeof levelChangeSchema>;

/** The rules with their new levels, and the sentences of those that the change does not fit; or why it is refused. */
export type LevelOutcome = { rules: WatchRule[]; unfit: string[] } | { refused: string };

/** The rules of a watch after the change; each keeps its id and its triggers. */
export function changeLevels({ rules }: Pick<Watch, 'rules'>, change: LevelChange): LevelOutcome {
  const changed = rules.map((own) => ({ own, result: changeLevel(own.rule, change) }));
  const refused = changed.flatMap(({ own, result }) =>
    typeof result === 'string' ? [`rule “${ruleSentence(own.rule)}” ${result}`] : [],
  );
  if (refused.length > 0) return { refused: refused.join('; ') };
  return {
    rules: changed.map(({ own, result }) =>
      typeof result === 'object' ? { ...own, rule: result } : own,
    ),
    unfit: changed.flatMap(({ own, result }) =>
      result === undefined ? [ruleSentence(own.rule)] : [],
    ),
  };
}

/** @returns the changed rule, why it can't be changed, or undefined for a rule that the change is not about. */
function changeLevel(rule: Rule, change: LevelChange): Rule | string | undefined {
  const field = levelField(rule, change);
  if (field === undefined) return undefined;
  const before = centsOf(Number(Reflect.get(rule, field)));
  const after = newLevel(before, change);
  if (after < 1) return 'would have a level of $0 or less';
  const parsed = ruleSchema.safeParse({ ...rule, [field]: after / 100 });
  if (parsed.success) return parsed.data;
  return `would not be valid: ${parsed.error.issues[0]?.message ?? 'its level'}`;
}

const levelFields = ['at_or_below', 'below', 'at_or_above', 'above'] as const;

function levelField(rule: Rule, { metric, rule_type: type }: LevelChange) {
  if (rule.type !== 'level' && rule.type !== 'listing') return undefined;
  if (type !== undefined && rule.type !== type) return undefined;
  // A listing rule is about the price of a listing, which is no metric.
  if (metric !== undefined && (rule.type !== 'level' || rule.metric !== metric)) return undefined;
  return levelFields.find((name) => Reflect.get(rule, name) !== undefined);
}

/** In cents. */
function newLevel(cents: number, { to, by_dollars: dollars, by_percent: percent }: LevelChange) {
  if (to !== undefined) return centsOf(to);
  if (dollars !== undefined) return cents + Math.round(dollars * 100);
  return changedByPercent(cents, percent ?? 0);
}
