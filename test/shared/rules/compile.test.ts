/** What each kind of rule compiles to. */
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { ruleOf } from '#test/support/rules/market.ts';

/** The index entry of each of a rule's triggers. */
function entries(rule: unknown) {
  return compileRule(ruleOf(rule)).map(({ series, direction, level, rearmLevel, afterFiring }) => [
    series,
    direction,
    level,
    rearmLevel,
    afterFiring,
  ]);
}

const getIn = { metric: 'get_in' };

describe('compileRule', () => {
  it('puts a level on a zone’s price, in cents, with 3 % to re-arm', () => {
    const rule = { type: 'level', ...getIn, zone: 'Lower Bowl', at_or_below: 80 };
    expect(entries(rule)).toEqual([
      ['stats/get_in/zone=Lower%20Bowl', 'down', 8000, 8240, 'wait_for_rearm'],
    ]);
  });

  it.each([
    [{ at_or_below: 80, min_quantity: 2 }, 'stats/get_in_qty2plus', 'down', 8000, 8240],
    [{ below: 80 }, 'stats/get_in', 'down', 7999, 8239],
    [{ above: 80 }, 'stats/get_in', 'up', 8001, 7760],
    [{ at_or_above: 80, rearm_amount: 5 }, 'stats/get_in', 'up', 8000, 7500],
    [{ at_or_below: 0.01 }, 'stats/get_in', 'down', 1, 2],
    [{ at_or_below: 80, rearm_percent: 0 }, 'stats/get_in', 'down', 8000, 8001],
    [{ at_or_below: 80, on_no_data: 'clear' }, 'stats/get_in/none_high', 'down', 8000, 8240],
    [{ at_or_below: 243, fee_percent: 35 }, 'stats/get_in', 'down', 18000, 18540],
  ])('compiles the level %j', (fields, ...entry) => {
    expect(entries({ type: 'level', ...getIn, ...fields })).toEqual([[...entry, 'wait_for_rearm']]);
  });

  it.each([
    [
      { drops_by: { percent: 15 }, from: { of: 'high', window: '24h' } },
      ['stats/get_in/drop_pct:high:24h', 'up', 1500, 1200, 'wait_for_rearm'],
    ],
    [
      { rises_by: { percent: 5 }, from: { of: 'median', window: '7d' } },
      ['stats/get_in/rise_pct:median:7d', 'up', 500, 250, 'wait_for_rearm'],
    ],
    [
      { drops_by: { amount: 20 }, from: { of: 'start', window: '6h' } },
      ['stats/get_in/drop:start:6h', 'up', 2000, 1000, 'wait_for_rearm'],
    ],
    [
      { drops_by: { amount: 20 }, from: { of: 'previous_snapshot' } },
      ['stats/get_in/drop:previous', 'up', 2000, 1000, 'stay_armed'],
    ],
  ])('compiles the change %j to a level on its window', (fields, entry) => {
    expect(entries({ type: 'change', ...getIn, ...fields })).toEqual([entry]);
  });

  it('leaves the level of a change from the last alert to the first look', () => {
    const [spec] = compileRule(
      ruleOf({
        type: 'change',
        ...getIn,
        drops_by: { percent: 10, min_amount: 5 },
        from: { of: 'last_alert' },
      }),
    );
    expect(spec).toMatchObject({
      series: 'stats/get_in',
      afterFiring: 'follow',
      relative: { step: { bps: 1000, amount: 500 } },
    });
  });

  it('turns conditions, least amounts and least histories into conditions on series', () => {
    const [spec] = compileRule(
      ruleOf({
        type: 'change',
        ...getIn,
        drops_by: { percent: 15, min_amount: 5 },
        from: { of: 'high', window: '24h' },
        min_history_hours: 12,
        all_of: [
          { type: 'supply', metric: 'total_listings_active', at_or_below: 40 },
          {
            type: 'any_of',
            conditions: [
              { type: 'fill_rate', at_or_above: 60 },
              { type: 'level', ...getIn, zone: 'Floor', at_or_below: 300 },
            ],
          },
        ],
      }),
    );
    expect(spec?.leastChange).toBe(500);
    expect(spec?.condition).toEqual({
      all: [
        { series: 'stats/get_in/span:24h', direction: 'up', level: 720 },
        { series: 'stats/total_listings_active', direction: 'down', level: 40 },
        {
          any: [
            { series: 'stats/listing_fill_rate', direction: 'up', level: 6000 },
            { series: 'stats/get_in/zone=Floor', direction: 'down', level: 30000 },
          ],
        },
      ],
    });
  });

  it.each([
    [{ type: 'any_change', ...getIn }, ['stats/get_in/change:previous', 'up', 1, 0]],
    [
      { type: 'any_change', ...getIn, min_percent: 2.5 },
      ['stats/get_in/change_pct:previous', 'up', 250, 0],
    ],
    [
      { type: 'extreme', ...getIn, new: 'low', within: '7d' },
      ['stats/get_in/below_low:7d', 'up', 1, 0],
    ],
    [
      { type: 'extreme', ...getIn, new: 'high', within: 'ever', min_amount: 2 },
      ['stats/get_in/above_high:ever', 'up', 200, 0],
    ],
  ])('compiles %j to news that stays armed', (rule, entry) => {
    expect(entries(rule)).toEqual([[...entry, 'stay_armed']]);
  });

  it.each([
    [{ at_or_below: 20 }, ['stats/total_listings_active', 'down', 20, 21]],
    [{ becomes: 'sold_out' }, ['stats/total_listings_active', 'down', 0, 1]],
    [{ becomes: 'available', zone: 'Floor' }, ['stats/present/zone=Floor', 'up', 1, 0]],
    [
      { at_or_above: 3, matching: { sections: ['101', '102'] } },
      ['listings/count/sections=101-102', 'up', 3, 2],
    ],
  ])('compiles the supply %j', (fields, entry) => {
    expect(entries({ type: 'supply', ...fields })).toEqual([[...entry, 'wait_for_rearm']]);
  });

  it.each([
    [{ at_or_above: 60, rearm_amount: 5 }, ['up', 6_000, 5_500]],
    [{ at_or_above: 60, rearm_percent: 5 }, ['up', 6_000, 5_700]],
    [{ at_or_below: 98 }, ['down', 9_800, 10_000]],
    [{ at_or_below: 99.99 }, ['down', 9_999, 10_000]],
  ])('compiles the fill rate %j in points, and re-arms within 100 %%', (fields, entry) => {
    const series = 'stats/listing_fill_rate';
    expect(entries({ type: 'fill_rate', ...fields })).toEqual([
      [series, ...entry, 'wait_for_rearm'],
    ]);
  });

  it.each([
    [{ rearm_amount: 50 }, 700],
    [{ rearm_percent: 5 }, 500],
  ])('re-arms a stored change of 10 %% with %j at %i points', (margin, rearmLevel) => {
    const from = { of: 'high', window: '24h' };
    const rule = { type: 'change', ...getIn, drops_by: { percent: 10 }, from, ...margin };
    expect(entries(rule)[0]?.[3]).toBe(rearmLevel);
  });

  it('compiles listing rules that mean the same listings to one series', () => {
    const one = { type: 'listing', sections: ['103', '101-102'], rows: ['a-k'], at_or_below: 150 };
    const other = { ...one, sections: ['101', '102-103'], rows: ['A-K'], min_quantity: 1 };
    expect(entries(one)[0]?.slice(0, 3)).toEqual([
      'listings/new_cheapest/rows=A-K;sections=101-103',
      'down',
      15000,
    ]);
    expect(entries(other)).toEqual(entries(one));
  });

  it('adds a trigger for missing data where the rule asks to be told', () => {
    expect(entries({ type: 'level', ...getIn, at_or_below: 80, on_no_data: 'alert' })).toEqual([
      ['stats/get_in', 'down', 8000, 8240, 'wait_for_rearm'],
      ['stats/get_in/missing', 'up', 1, 0, 'wait_for_rearm'],
    ]);
  });
});
