// Which feeds a watch wants: what its rules ask for, and what their conditions ask for.
import { describe, expect, it } from 'vitest';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';

function aWatch(rule: unknown, status: Watch['status'] = 'active') {
  const parsed: Rule = ruleSchema.parse(rule);
  return { status, latencySeconds: 60, rules: [{ ruleId: 'rul', rule: parsed, triggerIds: [] }] };
}

const level = { type: 'level', metric: 'get_in', at_or_below: 80 };
const listing = { type: 'listing', sections: ['101-105'], at_or_below: 150 };

describe('the feeds that a watch wants', () => {
  it.each([
    ['stats for a rule on a price', level, ['stats']],
    ['listings for a rule on listings', listing, ['listings']],
    [
      'both for a price rule that holds only while listings match',
      { ...level, all_of: [{ type: 'listings', sections: ['101'], at_least: 2 }] },
      ['stats', 'listings'],
    ],
  ])('are %s', (_name, rule, kinds) => {
    expect(feedsWantedBy(aWatch(rule)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('are none while it is paused', () => {
    expect(feedsWantedBy(aWatch(level, 'paused'))).toEqual([]);
  });
});
