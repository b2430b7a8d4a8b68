// The rule of a watch that is nearest to its level.
import type { RuleStatus } from './rule-standing.ts';
import { shareOf } from './watch-status.ts';

/** The rule, and its distance in basis points of its level; undefined while no distance is known. */
export function nearestOf(rules: readonly RuleStatus[]) {
  return rules
    .flatMap((rule) => {
      const share = shareOf(rule);
      return share === null ? [] : [{ rule, share }];
    })
    .sort((a, b) => a.share - b.share)[0];
}
