// The times in which a rule was as it was, from the kept versions of its watch: each look is explained by the rule
// that was in force when we looked. What is older than the kept versions is not known.
import { isDeepStrictEqual } from 'node:util';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import type { WatchVersion } from '#shared/watchlist/watch-version.ts';

/** What a watch was from a time on, epoch milliseconds. */
export interface WatchAt {
  from: number;
  rules: readonly WatchRule[];
  status: Watch['status'];
}

/** One form of a rule. Times are epoch milliseconds. */
export interface RuleEra {
  rule: WatchRule;
  from: number;
  /** Exclusive; infinite for the rule of today. */
  to: number;
  /** When the rule began to look; a change of its limits alone does not begin it again. */
  begins: number;
  /** Whether that is known: the versions reach back to it. */
  isBeginKnown: boolean;
}

/**
 * The versions of a watch, oldest first.
 * @param earlier those before the present one, newest first; without a gap in their numbers.
 */
export function versionsOf(watch: Watch, earlier: readonly WatchVersion[]): WatchAt[] {
  const kept: (Watch | WatchVersion)[] = [watch];
  for (const version of earlier) {
    const next = kept.at(-1);
    if (!next || version.version !== next.version - 1) break;
    kept.push(version);
  }
  return kept.toReversed().map(({ version, createdAt, updatedAt, rules, status }) => ({
    from: Date.parse(version === 1 ? createdAt : updatedAt),
    ...{ rules, status },
  }));
}

/** Whether the watch was paused at a time, or had ended; false where its versions don't reach. */
export function wasPausedAt(versions: readonly WatchAt[], at: number): boolean {
  const then = versions.findLast(({ from }) => from <= at);
  return then !== undefined && then.status !== 'active';
}

/**
 * The forms of a rule, oldest first.
 * @param madeAt when its trigger as stored now began to look.
 */
export function erasOf(
  versions: readonly WatchAt[],
  { ruleId }: Pick<WatchRule, 'ruleId'>,
  { madeAt, watchMadeAt }: { madeAt: number; watchMadeAt: number },
): RuleEra[] {
  const eras: RuleEra[] = [];
  for (const [place, { from, rules }] of versions.entries()) {
    const rule = rules.find((each) => each.ruleId === ruleId);
    const last = eras.at(-1);
    if (!rule) {
      eras.length = 0;
      continue;
    }
    if (last && isDeepStrictEqual(last.rule, rule)) continue;
    if (last) last.to = from;
    const isFirst = place === 0 && from !== watchMadeAt;
    const begins = last && !beginsAgain(last.rule.rule, rule.rule) ? last.begins : from;
    const isBeginKnown = last && begins === last.begins ? last.isBeginKnown : !isFirst;
    eras.push({ rule, from, to: Number.POSITIVE_INFINITY, begins, isBeginKnown });
  }
  const today = eras.at(-1);
  // The stored trigger knows its beginning, also where the versions don't reach back to it.
  if (today && (madeAt < today.from || !today.isBeginKnown)) {
    Object.assign(today, { begins: Math.min(madeAt, today.begins), isBeginKnown: true });
  }
  return eras;
}

/** As `editTrigger` decides for a trigger that has not fired. */
function beginsAgain(before: Rule, after: Rule): boolean {
  const [was] = compileRule(before);
  const [is] = compileRule(after);
  if (!was || !is) return true;
  const parts = (spec: typeof was) => [
    ...[spec.series, spec.direction, spec.afterFiring, spec.relative],
    spec.relative === null ? spec.level : null,
  ];
  return !isDeepStrictEqual(parts(was), parts(is));
}
