// The rules of a watch after a change, and what the change leaves to clean up. A rule that stays the same rule keeps its
// triggers, and with them its history.
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { IdKind } from '#shared/watchlist/id.ts';
import {
  feedsWantedBy,
  type Unsettled,
  type Watch,
  type WatchRule,
} from '#shared/watchlist/watch.ts';
import type { WatchChange } from '#shared/watchlist/watch-request.ts';
import type { Fault } from '../faults.ts';
import { invalidFaults } from '../problem.ts';
import { watchRule } from './add-watch.ts';

type MakeId = (kind: IdKind) => string;
type WantedRules = NonNullable<WatchChange['rules']>;

/** What must be updated after a watch gets these rules. */
export function unsettledAfter(before: Watch, rules: readonly WatchRule[]): Unsettled {
  const kept = new Set(rules.flatMap(({ triggerIds }) => triggerIds));
  const had = before.rules.flatMap(({ triggerIds }) => triggerIds);
  const still = before.unsettled;
  return {
    feeds: [...feedsWantedBy(before), ...(still?.feeds ?? [])],
    triggerIds: [...had.filter((id) => !kept.has(id)), ...(still?.triggerIds ?? [])],
  };
}

/**
 * The rules after a change. A rule named by its id keeps its triggers and their state; so
 * does a rule with exactly the same text.
 * @throws ProblemError for an id that is not a rule of the watch, or that is named twice.
 */
export function nextRules(watch: Watch, wanted: WantedRules, makeId: MakeId): WatchRule[] {
  const free = new Map(watch.rules.map((rule) => [rule.ruleId, rule]));
  const faults: Fault[] = [];
  const named = wanted.map((each, index) => {
    if (!('id' in each)) return undefined;
    const own = free.get(each.id);
    free.delete(each.id);
    const pointer = `#/rules/${index}/id`;
    if (!own) faults.push({ pointer, detail: 'is not a rule of this watch, or is given twice' });
    return own && edited(own, each.rule, makeId);
  });
  if (faults.length > 0) throw invalidFaults(faults);
  return wanted.map((each, index) => {
    const known = named[index];
    if (known) return known;
    const rule = 'id' in each ? each.rule : each;
    const same = [...free.values()].find((own) => canonicalRule(own.rule) === canonicalRule(rule));
    if (!same) return watchRule(rule, makeId);
    free.delete(same.ruleId);
    return same;
  });
}

function edited(own: WatchRule, rule: Rule, makeId: MakeId): WatchRule {
  const triggerIds = compileRule(rule).map(
    (_, index) => own.triggerIds[index] ?? makeId('trigger'),
  );
  return { ruleId: own.ruleId, rule, triggerIds };
}

/**
 * The rules of an earlier version, for a watch that has other rules now. A rule that the watch still has keeps its
 * triggers; the triggers of the others are gone, and new ones need ids of their own.
 */
export function earlierRules(
  watch: Watch,
  earlier: readonly WatchRule[],
  makeId: MakeId,
): WatchRule[] {
  const own = new Map(watch.rules.map((rule) => [rule.ruleId, rule]));
  return earlier.map(({ ruleId, rule }) =>
    edited(own.get(ruleId) ?? { ruleId, rule, triggerIds: [] }, rule, makeId),
  );
}
