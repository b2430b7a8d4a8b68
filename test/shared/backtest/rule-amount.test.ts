// The same rule with another amount, if that one could be saved too.
import { describe, expect, it } from 'vitest';
import { amountOf } from '#shared/backtest/rule-amount.ts';
import { ruleOf } from '#test/support/rules/market.ts';

describe('another amount', () => {
  const from = { of: 'high', window: '24h' };
  const drop = { type: 'change', metric: 'get_in', drops_by: { amount: 20 }, from };

  it('is left out where the rule’s rearm distance would be refused', () => {
    const own = amountOf(ruleOf({ ...drop, rearm_amount: 15 }));
    expect(own?.withAmount(16)).toMatchObject({ drops_by: { amount: 16 }, rearm_amount: 15 });
    expect(own?.withAmount(15)).toBeUndefined();
  });
});
