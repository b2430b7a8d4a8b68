// The rules that an alert's page offers in place of the present one: silent until a new low, or a level 5 % further.
// Pure.
import type { Alert } from '#shared/alerts/alert.ts';
import { askedLevelOf } from '#shared/alerts/asked-level.ts';
import { canGoLower, levelLabel, nextLevel } from '#shared/delivery/alert-acts.ts';
import { moneyText } from '#shared/delivery/message/figures.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { withoutRefused } from '#shared/rules/language/modifier-faults.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { modifiers } from '#shared/rules/language/rule-modifiers.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import { isPriceMetricName } from '#shared/rules/metric.ts';
import { withFeeCents } from '#shared/rules/money.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { baseKeyOf, currentOf } from '#shared/rules/sources/sources.ts';
import { isReached } from '#shared/rules/trigger.ts';
import { bpsOf } from '#shared/rules/units.ts';
import { changeLevels } from '../watches/bulk/level-change.ts';

/** A rule that a press sets, with its button's words and its level, cents; or why there is none. */
export type NextRule = { rule: Rule; label: string; cents: number } | { refused: string };

/** The rule that fired as it is now, and the price now in cents; null while it is not known. */
interface Seen {
  alert: Alert;
  rule: Rule;
  priceNow: number | null;
  /** Epoch milliseconds. */
  now: number;
}

const otherNumber: NextRule = {
  refused: 'The rule was changed since and is about another number now.',
};

/** The rule that alerts only below the alert's price, or below the price now if that is lower. */
export function newLowRule(seen: Seen): NextRule {
  const { alert, rule, priceNow } = seen;
  if (!isAbout(rule, alert)) return otherNumber;
  if (!canGoLower(alert)) return { refused: 'The alert is not about a price that fell.' };
  const lowest = Math.min(alert.base, priceNow ?? alert.base);
  const feeBps = 'fee_percent' in rule ? bpsOf(rule.fee_percent ?? 0) : 0;
  const cents = withFeeCents(lowest, feeBps);
  const asked = below(rule, cents);
  if (!asked)
    return { refused: 'The rule was changed since and is not about a falling price now.' };
  const highest = highestOf(rule);
  if (highest !== undefined && highest < cents) {
    return { refused: `The rule alerts only at or below ${moneyText(highest)} already.` };
  }
  return checked(asked, { label: 'Silent until a new low', cents }, seen);
}

/** The rule with its level 5 % further. */
export function furtherRule(seen: Seen): NextRule {
  const { alert, rule } = seen;
  if (!isAbout(rule, alert)) return otherNumber;
  const level = isOneWay(rule, alert) ? askedLevelOf(rule) : null;
  const cents = level === null ? undefined : nextLevel(alert, level);
  if (cents === undefined) return { refused: 'The rule has no level that can go further.' };
  const own = { ruleId: alert.ruleId, rule, triggerIds: [] };
  const change = changeLevels({ rules: [own] }, { type: 'change_level', to: cents / 100 });
  const next = 'refused' in change ? undefined : change.rules[0]?.rule;
  if (!next) return { refused: 'The rule has no level that can go further.' };
  return checked(next, { label: levelLabel(cents), cents }, seen);
}

/** Whether a rule is reached already at a price, and will alert at once about it. */
export function alertsAtOnce(rule: Rule, price: number | null): boolean {
  const [spec] = compileRule(rule);
  if (!spec || price === null || rule.type !== 'level') return false;
  return spec.whenAlreadyTrue === 'fire' && isReached(spec, price);
}

/** Whether the rule is about the number of the alert. */
function isAbout(rule: Rule, { series }: Alert): boolean {
  const [spec] = compileRule(rule);
  return spec !== undefined && numberOf(spec.series) === numberOf(series);
}

/** Whether the rule has a level in the direction of the alert. */
function isOneWay(rule: Rule, { direction }: Alert): boolean {
  if (rule.type === 'listing') return direction === 'down';
  if (rule.type !== 'level') return false;
  const isUp = rule.at_or_above !== undefined || rule.above !== undefined;
  return isUp === (direction === 'up');
}

function numberOf(series: string): string {
  return baseKeyOf(currentOf(parseSeries(series).base));
}

/** Another kind of rule keeps the modifiers that a level rule may have, except how it re-arms and begins. */
const own: ReadonlySet<string> = new Set(['rearm_percent', 'rearm_amount', 'when_already_true']);
const kept = Object.keys(modifiers).filter((name) => !own.has(name));

/** The rule as one that alerts below a price; undefined if it is not about a falling price. */
function below(rule: Rule, cents: number): object | undefined {
  switch (rule.type) {
    case 'level': {
      const { at_or_below, below: before, at_or_above, above, ...others } = rule;
      if (at_or_above !== undefined || above !== undefined) return undefined;
      return { ...others, below: cents / 100 };
    }
    case 'listing':
      return { ...rule, at_or_below: (cents - 1) / 100 };
    case 'change':
      return rule.drops_by && isPriceMetricName(rule.metric) ? levelOf(rule, cents) : undefined;
    case 'extreme':
      return rule.new === 'low' ? levelOf(rule, cents) : undefined;
    case 'any_change':
      return levelOf(rule, cents);
    default:
      return undefined;
  }
}

type Replaced = Extract<Rule, { type: 'change' | 'extreme' | 'any_change' }>;

/** A level rule on the same subject, with the same conditions and limits. */
function levelOf(rule: Replaced, cents: number): object {
  const { metric, zone, min_quantity } = rule;
  const fields = Object.entries({ metric, zone, min_quantity, ...pick(rule, kept) });
  const given = fields.filter(([, value]) => value !== undefined);
  return { type: 'level', ...Object.fromEntries(given), below: cents / 100 };
}

function pick(rule: Rule, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(rule, name)]));
}

/** The highest price, fee included, at which a level or listing rule alerts, cents. */
function highestOf(rule: Rule): number | undefined {
  if (rule.type !== 'level' && rule.type !== 'listing') return undefined;
  const asked = askedLevelOf(rule) ?? undefined;
  const isStrict = rule.type === 'level' && rule.below !== undefined;
  return asked === undefined || !isStrict ? asked : asked - 1;
}

/** Whatever a press sets, the API would accept. */
function checked(
  given: object,
  words: { label: string; cents: number },
  { now }: Pick<Seen, 'now'>,
): NextRule {
  const parsed = ruleSchema.safeParse(given);
  const reading = parsed.success ? readRule(withoutRefused(parsed.data), { now }) : undefined;
  if (reading?.ok) return { rule: reading.rule, ...words };
  const isExpired = reading?.faults.some(({ pointer }) => pointer === '/expires_at') ?? false;
  return { refused: isExpired ? 'The rule has expired.' : 'The rule can’t be changed so.' };
}
