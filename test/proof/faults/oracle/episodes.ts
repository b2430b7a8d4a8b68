// What the message of an alert must tell in the end, computed only from the marketplace's own records: for levels and
// numbers of listings, because a single number decides about them.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { naiveRearms } from '#test/support/rules/naive.ts';
import { believe, isPrice, valueAt } from '#test/support/rules/naive-market.ts';
import type { RuleDocument } from '../scenario/rules.ts';

/** What happened since an alert. `low`: for a rule about rises, the highest value; in dollars, or a count. */
export type Since = { kind: 'nothing' } | { kind: 'back' } | { kind: 'low'; value: number };

export interface DueEpisode {
  /** Which of its rule's episodes the alert belongs to. */
  number: number;
  /** What its message must tell in the end, if it is the last of the episode. */
  since: Since;
}

/** @returns undefined for a rule that this can't decide about. */
export function dueEpisode(
  rule: RuleDocument,
  observedAt: number,
  market: readonly MarketSnapshot[],
): DueEpisode | undefined {
  const isSupply = rule.type === 'supply' && rule.matching === undefined;
  if (rule.type !== 'level' && !isSupply) return undefined;
  const snapshots = [...market];
  const rearms = naiveRearms(rule, snapshots, 0);
  const number = rearms.filter((at) => at <= observedAt).length;
  if (number < rearms.length) return { number, since: { kind: 'back' } };
  const subject = isSupply ? { metric: 'total_listings_active' } : rule;
  const told = snapshots.find((snapshot) => snapshot.observedAt === observedAt);
  const first = told && valueAt(told, subject);
  if (first === undefined || first === null) return undefined;
  const later = believe(snapshots, snapshots.length - 1, subject)
    .believed.filter(({ at }) => at > observedAt)
    .map(({ value }) => value);
  const isDown = rule.at_or_below !== undefined || rule.below !== undefined;
  const furthest = isDown ? Math.min(first, ...later) : Math.max(first, ...later);
  if (furthest === first) return { number, since: { kind: 'nothing' } };
  const value = isPrice(subject) ? furthest / 100 : furthest;
  return { number, since: { kind: 'low', value } };
}
