// Plans the change of a watch that a button of an alert's page asks for. Pure, but for the ids of new triggers.

import type { Rule } from '#shared/rules/language/rule.ts';
import { newId } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type PlannedChange, planPurchase, planSwitch } from '../watches/change-watch.ts';
import { nextRules } from '../watches/next-rules.ts';
import type { PriceField } from './link-page.ts';
import type { LinkedAlert } from './linked-alert.ts';
import { furtherRule, newLowRule } from './next-rule.ts';
import { nextRuleOf, type PageActName, watchIn } from './page-acts.ts';
import { readPaidPrice } from './paid-price.ts';

/** The fields of a form by name. */
export type Form = Readonly<Record<string, string>>;

/** The acts that make a version of the watch. */
export type WatchAct = Exclude<PageActName, 'stop_all' | 'resume_all'>;

/** A change of a watch; or why there is none. */
export type PlannedPress =
  | { watch: Watch; plan: PlannedChange }
  | { kind: 'not_done'; why: string }
  | { kind: 'price'; price: PriceField };

type Plan = (watch: Watch, state: LinkedAlert, form: Form) => PlannedPress;

const plans: Readonly<Record<WatchAct, Plan>> = {
  bought(watch, { alert, now }, { paid = '' }) {
    const price = readPaidPrice(paid);
    if ('fault' in price) return { kind: 'price', price: { value: paid, fault: price.fault } };
    const { cents: paidCents } = price;
    const plan = planPurchase({
      ...{ at: now, alertId: alert.alertId },
      ...(paidCents !== undefined && { paidCents }),
      statusBefore: watch.status === 'paused' ? 'paused' : 'active',
    });
    return { watch, plan };
  },
  undo_bought: (watch) => ({ watch, plan: planSwitch(watch.bought?.statusBefore ?? 'active') }),
  new_low: (watch, state) => withRule(watch, state, nextRuleOf(state, newLowRule)),
  level: (watch, state) => withRule(watch, state, nextRuleOf(state, furtherRule)),
  undo_rule: (watch, state) => {
    const { pressed } = state;
    const before = pressed ? { rule: pressed.before } : { refused: 'There is nothing to undo.' };
    return withRule(watch, state, before);
  },
  snooze: unchanged,
  stop_watch: unchanged,
  resume_watch: unchanged,
};

/** The change that an act asks for. */
export function planPress(state: LinkedAlert, act: WatchAct, form: Form): PlannedPress {
  const watch = watchIn(state);
  if (!watch) return { kind: 'not_done', why: 'The watch was deleted.' };
  return plans[act](watch, state, form);
}

/** The rule keeps its id, and with it its history. */
function withRule(
  watch: Watch,
  { alert }: LinkedAlert,
  next: { rule: Rule } | { refused: string },
): PlannedPress {
  if ('refused' in next) return { kind: 'not_done', why: next.refused };
  const wanted = watch.rules.map(({ ruleId: id, rule }) => ({
    id,
    rule: id === alert.ruleId ? next.rule : rule,
  }));
  return { watch, plan: { changes: { rules: nextRules(watch, wanted, newId) }, isDeep: true } };
}

/** A version with the same settings: it takes the place that the form was made for, and tells the history. */
function unchanged(watch: Watch): PlannedPress {
  return { watch, plan: { changes: {}, isDeep: false } };
}
