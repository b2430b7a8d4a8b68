/** Rules as sentences. */
import { describe, expect, it } from 'vitest';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { ruleOf } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in' };
const change = { type: 'change', metric: 'get_in' };

describe('ruleSentence', () => {
  it.each([
    [{ ...level, zone: 'Lower Bowl', at_or_below: 80 }, 'Get-in of Lower Bowl at or below $80'],
    [
      { ...level, min_quantity: 2, below: 1234.5 },
      'Get-in for two or more together below $1,234.50',
    ],
    [
      { ...level, at_or_below: 243, fee_percent: 35 },
      'Get-in at or below $243 with a fee of 35% added',
    ],
    [
      { ...change, drops_by: { percent: 15, min_amount: 5 }, from: { of: 'high', window: '24h' } },
      'Get-in drops by 15% and at least $5 from the high of the last 24 hours',
    ],
    [
      {
        type: 'change',
        metric: 'total_listings_active',
        rises_by: { amount: 20 },
        from: { of: 'last_alert' },
      },
      'Active listings rises by 20 from the last alert',
    ],
    [
      {
        ...change,
        metric: 'avg_price',
        rises_by: { percent: 5 },
        from: { of: 'previous_snapshot' },
      },
      'Average price rises by 5% from the snapshot before',
    ],
    [{ type: 'any_change', metric: 'get_in' }, 'Get-in changes at all, up or down'],
    [
      { type: 'any_change', metric: 'median_price', min_percent: 2.5, at_most_per_day: 1 },
      'Median price changes by 2.5% or more, up or down; at most 1 alert in 24 hours',
    ],
    [
      { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' },
      'Get-in at a new low within 7 days',
    ],
    [
      { type: 'extreme', metric: 'get_in', new: 'high', within: 'ever', min_amount: 2 },
      'Get-in at a new high ever by $2 or more',
    ],
    [{ type: 'supply', at_or_below: 40 }, 'Active listings at or below 40'],
    [{ type: 'supply', zone: 'Floor', becomes: 'sold_out' }, 'The last listing in Floor is gone'],
    [
      { type: 'supply', matching: { sections: ['101-105'] }, becomes: 'available' },
      'The first listing in section 101-105 appears',
    ],
    [{ type: 'fill_rate', at_or_above: 60 }, 'Fill rate at or above 60%'],
    [
      {
        type: 'listing',
        sections: ['101-105', 'CLUB*'],
        rows: ['A-K'],
        min_quantity: 2,
        at_or_below: 150,
      },
      'A new cheapest listing in section 101-105, CLUB*, row A-K, 2 or more together, at or below $150',
    ],
    [
      {
        ...level,
        at_or_below: 80,
        all_of: [{ type: 'supply', metric: 'total_listings_active', at_or_below: 40 }],
        any_of: [
          { type: 'fill_rate', at_or_above: 60 },
          { ...change, drops_by: { percent: 5 }, from: { of: 'previous_snapshot' } },
        ],
      },
      'Get-in at or below $80, while active listings at or below 40 and any of (fill rate at or above 60%; get-in drops by 5% from the snapshot before)',
    ],
    [
      {
        ...level,
        at_or_below: 290,
        repeat_every_further_percent: 2,
        confirmations: 2,
        cool_down_minutes: 60,
        within_days_of_event: 7,
        on_no_data: 'clear',
        urgent: true,
      },
      'Get-in at or below $290; confirmed by 2 snapshots in a row; only within 7 days of the event; again at every further 2%; at most once in 60 minutes; urgent; re-arms when there is no data',
    ],
    [
      { ...level, at_or_below: 80, rearm_amount: 5, fee_percent: 10 },
      'Get-in at or below $80 with a fee of 10% added; re-arms $5 back before the fee',
    ],
    [
      { type: 'supply', at_or_below: 40, rearm_amount: 20 },
      'Active listings at or below 40; re-arms 20 listings back',
    ],
    [
      { type: 'fill_rate', at_or_above: 60, rearm_amount: 5 },
      'Fill rate at or above 60%; re-arms 5 points back',
    ],
    [
      { type: 'fill_rate', at_or_above: 60, rearm_percent: 5 },
      'Fill rate at or above 60%; re-arms 5% of its level back',
    ],
    [
      {
        ...change,
        drops_by: { percent: 10 },
        from: { of: 'high', window: '24h' },
        rearm_percent: 1,
      },
      'Get-in drops by 10% from the high of the last 24 hours; re-arms 1 point back',
    ],
    [
      { ...change, drops_by: { amount: 20 }, from: { of: 'high', window: '24h' }, rearm_amount: 5 },
      'Get-in drops by $20 from the high of the last 24 hours; re-arms $5 back',
    ],
    [
      {
        ...change,
        drops_by: { amount: 20 },
        from: { of: 'high', window: '24h' },
        rearm_percent: 25,
      },
      'Get-in drops by $20 from the high of the last 24 hours; re-arms when 25% of the change is undone',
    ],
  ])('says %j', (rule, sentence) => {
    expect(ruleSentence(ruleOf(rule))).toBe(sentence);
  });
});
