// One form of a rule with what is stored about it, the looks that its replay needs, and from when on it is known.
import type { Alert } from '#shared/alerts/alert.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import { seriesAskedFor } from '#shared/rules/trigger.ts';
import type { WatchRule } from '#shared/watchlist/watch.ts';
import type { LoadedLooks } from './load-looks.ts';
import type { KnownFromReason } from './look-reasons.ts';
import { closestMiss, type LookRow } from './look-row.ts';
import type { RuleEra } from './rule-eras.ts';
import type { FoundAlerts } from './stored-alerts.ts';

export const weekMs = 7 * 86_400_000;
/** More than the versions of a watch that are kept. */
export const erasOfRule = 100;

/** One form of a rule with what is stored about it. */
export interface KnownRule extends RuleEra, FoundAlerts {
  /** The rule's place in its watch. */
  place: number;
  /** Sorts the rows of one snapshot: by rule, the newest form first. */
  index: number;
  kind: FeedKind;
  series: SeriesKey[];
  /** The replay begins there. */
  replayFrom: number;
}

export interface ExplainedRule {
  rule: WatchRule;
  /** The forms that it had in the range, oldest first; the last is that of today. */
  eras: RuleEra[];
  /** Nothing is known of the rule before. */
  knownFrom: number;
  knownFromReason: KnownFromReason;
  closestMiss: LookRow | undefined;
  /** False if some of its alerts can't be read. */
  areAlertsWhole: boolean;
}

/** @param oldest the earliest look that is asked about, epoch milliseconds. */
export function knownEra(
  era: RuleEra,
  { alerts, isWhole }: FoundAlerts,
  { place, number, oldest }: { place: number; number: number; oldest: number },
): KnownRule {
  const specs = compileRule(era.rule.rule);
  const begins = era.isBeginKnown ? era.begins : 0;
  const own = alerts.filter(({ firedAt }) => firedAt >= begins && firedAt < era.to);
  const before = own.findLast(({ observedAt }) => observedAt < oldest)?.observedAt ?? 0;
  // From its last alert on, the state of a rule is certain, if that is not too far back.
  const anchor = before >= oldest - weekMs ? before + 1 : oldest;
  return {
    ...{ ...era, begins, alerts: own, isWhole, place },
    index: place * erasOfRule + erasOfRule - 1 - number,
    kind: feedKindOf(specs[0]?.series ?? ''),
    series: [...new Set(specs.flatMap((spec) => [...seriesAskedFor(spec)]))],
    replayFrom: Math.max(anchor, begins),
  };
}

/** The looks of a form of a rule, from one place to another, and which form of its rule it is. */
export function replayKey(era: KnownRule, looks: readonly LookedAt[]): string {
  const end = looks.findLastIndex(({ snapshot }) => snapshot.observedAt < era.to) + 1;
  return [startOfReplay(era, looks), end, era.index % erasOfRule].join('#');
}

/** A rule that began in the range was first matched with the newest snapshot of that time. */
function startOfReplay({ replayFrom, begins }: KnownRule, looks: readonly LookedAt[]): number {
  const next = looks.findIndex(({ snapshot }) => snapshot.observedAt >= replayFrom);
  const isNew = replayFrom <= begins;
  if (next < 0) return Math.max(0, looks.length - (isNew ? 1 : 0));
  return isNew ? Math.max(0, next - 1) : next;
}

/** Whether an alert was raised while the rule had this form. */
export function isFiredIn({ from, to }: RuleEra) {
  return ({ firedAt }: Alert) => firedAt >= from && firedAt < to;
}

/** The rule over all its forms. @param found the rows of the rule, and the looks of its feed. */
export function explainedRule(
  { from, to }: { from: number; to: number },
  eras: readonly KnownRule[],
  { rows, loaded }: { rows: readonly LookRow[]; loaded: LoadedLooks | undefined },
): ExplainedRule {
  const [first, last] = [eras[0], eras.at(-1)];
  if (!first || !last) throw new Error('a rule has the form of today at least');
  const oldest = loaded?.looks[0]?.snapshot.observedAt ?? to;
  const known = (knownFrom: number, knownFromReason: KnownFromReason): ExplainedRule => ({
    ...{ rule: last.rule, eras: [...eras], knownFrom, knownFromReason },
    areAlertsWhole: last.isWhole,
    closestMiss: closestMiss(rows.filter(({ observedAt }) => observedAt >= to - weekMs)),
  });
  const since = Math.max(first.from, first.begins);
  if (since > from && since >= oldest) {
    if (first.index % erasOfRule < erasOfRule - 1) return known(since, 'most_looks');
    return known(since, first.isBeginKnown ? 'rule_made' : 'version_gone');
  }
  if (oldest > from) return known(oldest, loaded?.isCut ? 'most_looks' : 'first_snapshot');
  return known(from, 'range');
}
