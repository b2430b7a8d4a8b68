/** Rules that people send: what is refused, in which words, and all of it at once. */
import { describe, expect, it } from 'vitest';
import { canonicalRule, readRule } from '#shared/rules/language/validate.ts';

const level = { type: 'level', metric: 'get_in' };

function faultsOf(rule: unknown, zones?: string[]) {
  const reading = readRule(rule, { zones });
  return reading.ok ? [] : reading.faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('readRule', () => {
  it('gives the rule back as it was meant', () => {
    expect(readRule({ ...level, at_or_below: '499.990' })).toEqual({
      ok: true,
      rule: { ...level, at_or_below: 499.99 },
    });
    expect(readRule({ ...level, at_or_below: 0.1 + 0.2 })).toMatchObject({
      rule: { at_or_below: 0.3 },
    });
    expect(readRule({ ...level, at_or_below: 3.01 })).toMatchObject({
      rule: { at_or_below: 3.01 },
    });
  });

  it.each([
    '',
    ' ',
    null,
    true,
    [],
    '0x10',
    '1e3',
    '１００',
    '1.226,00',
    '1,226.00',
    '1 226',
    "1'226",
  ])('refuses %j as a price and says what one is', (price) => {
    expect(faultsOf({ ...level, at_or_below: price })).toEqual([
      '/at_or_below must be an amount in dollars such as 79.5: a number, or digits with an optional point',
    ]);
  });

  it.each([
    [0, 'must be above 0: no price is 0 or less, so this level would never be reached'],
    [-5, 'must be above 0: no price is 0 or less, so this level would never be reached'],
    [1e21, 'must be at most 10,000,000'],
    [1.005, 'must have at most two decimals'],
    [499.9999, 'must have at most two decimals'],
    ['499.999', 'must have at most two decimals'],
  ])('refuses the price %j', (price, message) => {
    expect(faultsOf({ ...level, at_or_below: price })).toEqual([`/at_or_below ${message}`]);
  });

  it.each([
    [101, 'must be at most 100: a value can’t fall by more than 100 %'],
    [0, 'must be at least 0.01'],
    [15.005, 'must have at most two decimals'],
    ['15%', 'must be a percentage such as 15: a number, without the sign'],
  ])('refuses a drop by %j percent', (percent, message) => {
    const rule = {
      type: 'change',
      metric: 'get_in',
      drops_by: { percent },
      from: { of: 'high', window: '24h' },
    };
    expect(faultsOf(rule)).toEqual([`/drops_by/percent ${message}`]);
  });

  it('refuses a window longer than the history kept, and one that is not named', () => {
    const change = { type: 'change', metric: 'get_in', drops_by: { percent: 5 } };
    expect(faultsOf({ ...change, from: { of: 'high', window: '90d' } })).toEqual([
      '/from/window must be one of 1h, 6h, 24h, 7d, 30d: the history kept for windows ends at 30d',
    ]);
    expect(faultsOf(change)).toEqual([
      '/from must name what the change is measured from: previous_snapshot, last_alert, watch_start, or the high, low, start or median of a window',
    ]);
  });

  it('names the nearest zones, wherever a zone is spoken of', () => {
    const zones = ['Lower Bowl', 'Upper Bowl', 'Floor', 'Club Level'];
    const rule = {
      ...level,
      zone: 'lower bowls',
      at_or_below: 80,
      any_of: [{ ...level, zone: 'Flor', at_or_below: 80 }],
    };
    expect(faultsOf(rule, zones)).toEqual([
      '/zone the event has no zone "lower bowls"; the nearest are "Lower Bowl", "Upper Bowl", "Floor"',
      '/any_of/0/zone the event has no zone "Flor"; the nearest are "Floor", "Lower Bowl", "Club Level"',
    ]);
    expect(
      faultsOf({ type: 'listing', zones: ['Floor', 'Pit'], at_or_below: 9 }, zones)[0],
    ).toMatch(/^\/zones\/1 the event has no zone "Pit"/);
    expect(faultsOf({ ...level, zone: 'Floor', at_or_below: 80 }, zones)).toEqual([]);
    expect(faultsOf({ ...level, zone: 'Floor', at_or_below: 80 }, [])).toEqual([
      '/zone the event has no zones, and so no "Floor"',
    ]);
  });

  it('tells every fault at once', () => {
    const rule = {
      ...level,
      zone: 'Flor',
      at_or_below: 0,
      at_or_above: 5,
      confirmations: 0.5,
      fee_percent: 101,
      'a/b': 1,
    };
    const faults = faultsOf(rule, ['Floor']);
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(
      ['', '/a~1b', '/at_or_below', '/confirmations', '/fee_percent', '/zone'].sort(),
    );
    expect(faults).toContain(' must have exactly one of at_or_below, below, at_or_above and above');
    expect(faults).toContain('/a~1b is not a field of this rule');
  });

  it.each([
    [{ ...level }, ' must have exactly one of at_or_below, below, at_or_above and above'],
    [
      { type: 'level', metric: 'avg_price', min_quantity: 2, at_or_below: 5 },
      '/min_quantity is allowed only with metric get_in',
    ],
    [
      { ...level, min_quantity: 3, at_or_below: 5 },
      '/min_quantity must be 1 or 2: stats have prices for one and for two or more tickets; for more use a listing rule',
    ],
    [
      { ...level, at_or_below: 5, rearm_percent: 3, rearm_amount: 3 },
      ' must have only one of rearm_percent and rearm_amount',
    ],
    [
      { type: 'supply', at_or_below: 0 },
      '/at_or_below must be at least 1; to be alerted when none is left, use "becomes": "sold_out"',
    ],
    [{ type: 'supply', zone: 'Floor', at_or_below: 5 }, '/zone is allowed only with becomes'],
    [
      {
        type: 'change',
        metric: 'total_listings_active',
        drops_by: { amount: 0.5 },
        from: { of: 'last_alert' },
      },
      '/metric must be a whole number of listings',
    ],
    [
      {
        type: 'change',
        ...{ metric: 'get_in', drops_by: { percent: 5 }, from: { of: 'last_alert' } },
        repeat_every_further_percent: 2,
      },
      '/repeat_every_further_percent is allowed only for a percent change from watch_start or a window: other rules repeat by themselves',
    ],
    [
      {
        type: 'change',
        ...{ metric: 'get_in', drops_by: { percent: 5 }, from: { of: 'high', window: '6h' } },
        rearm_percent: 5,
      },
      '/rearm_percent must be less than the percent of the change, or it would never re-arm',
    ],
    [
      { type: 'extreme', metric: 'get_in', new: 'low', within: '6h', min_history_hours: 12 },
      '/min_history_hours is allowed only with a window, and must be shorter than the window',
    ],
    [
      { type: 'extreme', metric: 'get_in', new: 'low', within: '6h', min_history_hours: 5e-324 },
      '/min_history_hours must be at least 0.01',
    ],
    [
      { type: 'fill_rate', at_or_above: 0 },
      ' must exclude some value: every fill rate is from 0 to 100',
    ],
    [
      { type: 'listing', at_or_below: 5, on_no_data: 'alert' },
      '/on_no_data is allowed only for rules on stats: for listings, no match is a value, not missing data',
    ],
    [
      { type: 'listing', sections: ['118-101'], at_or_below: 5 },
      '/sections/0 must be a name, a range from low to high such as 101-118 or A-K, or a glob such as CLUB*',
    ],
    [
      { type: 'levle' },
      '/type must be a rule: an object whose type is level, change, any_change, extreme, supply, fill_rate or listing',
    ],
    [
      'at or below 80',
      ' must be a rule: an object whose type is level, change, any_change, extreme, supply, fill_rate or listing',
    ],
  ])('refuses %j', (rule, fault) => {
    expect(faultsOf(rule)).toEqual([fault]);
  });

  const reach = (what: string) => `puts the rearm level where no ${what} can be; use a smaller one`;
  const change = { type: 'change', metric: 'get_in' };
  const window = { of: 'start', window: '24h' };
  const counted = { ...change, metric: 'total_listings_active' };

  it.each([
    ['rearm_percent', { ...level, at_or_above: 50, rearm_percent: 100 }, reach('price')],
    ['rearm_amount', { ...level, at_or_above: 50, rearm_amount: 50 }, reach('price')],
    ['rearm_amount', { ...level, at_or_below: 50, rearm_amount: 9_999_951 }, reach('price')],
    ['rearm_percent', { type: 'fill_rate', at_or_below: 98, rearm_percent: 3 }, reach('fill rate')],
    ['rearm_amount', { type: 'fill_rate', at_or_above: 60, rearm_amount: 61 }, reach('fill rate')],
    [
      'rearm_amount',
      { type: 'supply', at_or_above: 20, rearm_amount: 21 },
      reach('number of listings'),
    ],
    [
      'rearm_amount',
      { type: 'supply', at_or_below: 20, rearm_amount: 2.5 },
      'must be a whole number of listings',
    ],
    [
      'rearm_amount',
      { ...counted, drops_by: { amount: 20 }, from: { of: 'watch_start' }, rearm_amount: 0.5 },
      'must be a whole number of listings',
    ],
    [
      'rearm_amount',
      { ...change, drops_by: { amount: 20 }, from: window, rearm_amount: 20 },
      'must be less than the amount of the change, or it would never re-arm',
    ],
    [
      'rearm_amount',
      { ...counted, rises_by: { amount: 20 }, from: window, rearm_amount: 25 },
      'must be less than the amount of the change, or it would never re-arm',
    ],
    [
      'rearm_percent',
      { ...change, drops_by: { amount: 20 }, from: window, rearm_percent: 100 },
      'must be less than 100, or it would never re-arm',
    ],
    [
      'rearm_percent',
      { ...change, rises_by: { percent: 20 }, from: { of: 'watch_start' }, rearm_percent: 100 },
      'must be less than 100, or it would never re-arm',
    ],
    [
      'rearm_amount',
      { ...change, rises_by: { amount: 20 }, from: { of: 'watch_start' }, rearm_amount: 21 },
      'must be at most the amount of the rise, or it might never re-arm',
    ],
    [
      'rearm_amount',
      { ...change, rises_by: { percent: 20 }, from: { of: 'watch_start' }, rearm_amount: 5 },
      'is an amount, but the rise is in percent, and the amount could be more than the price; use rearm_percent',
    ],
  ])('refuses a %s that no value can reach: %j', (field, rule, message) => {
    expect(faultsOf(rule)).toEqual([`/${field} ${message}`]);
  });

  it.each([
    { ...level, at_or_above: 50, rearm_amount: 49.99 },
    { ...level, at_or_below: 50, rearm_percent: 100 },
    { type: 'fill_rate', at_or_below: 98, rearm_amount: 2 },
    { type: 'fill_rate', at_or_above: 60, rearm_amount: 60 },
    { type: 'supply', at_or_above: 20, rearm_amount: 20 },
    { ...change, drops_by: { amount: 20 }, from: window, rearm_amount: 19.99 },
    { ...change, rises_by: { amount: 20 }, from: { of: 'watch_start' }, rearm_amount: 20 },
    { ...change, drops_by: { percent: 20 }, from: { of: 'watch_start' }, rearm_amount: 500 },
  ])('accepts a rearm distance that can be reached: %j', (rule) => {
    expect(faultsOf(rule)).toEqual([]);
  });

  it('refuses a change that no value can have, in a rule and in its conditions', () => {
    const drop = { ...change, drops_by: { percent: 10 } };
    const low = { of: 'low', window: '24h' };
    const never =
      'can’t be low for a drop: the window contains the present value, which is never below its low; use start or median, or a rule of type extreme for a new low';
    expect(faultsOf({ ...drop, from: low })).toEqual([`/from/of ${never}`]);
    const group = { type: 'any_of', conditions: [{ ...drop, from: low }] };
    expect(faultsOf({ ...level, at_or_below: 80, all_of: [group] })).toEqual([
      `/all_of/0/conditions/0/from/of ${never}`,
    ]);
    const rise = { ...change, rises_by: { percent: 10 } };
    expect(faultsOf({ ...rise, from: { of: 'high', window: '24h' } })).toEqual([
      '/from/of can’t be high for a rise: the window contains the present value, which is never above its high; use start or median, or a rule of type extreme for a new high',
    ]);
    expect(faultsOf({ ...rise, from: low })).toEqual([]);
  });

  it('refuses further steps beyond the whole value', () => {
    const drop = { ...change, drops_by: { percent: 95 }, from: { of: 'high', window: '24h' } };
    const fault =
      '/repeat_every_further_percent puts the first further step where no drop can be: more than the whole value; use a smaller one';
    expect(faultsOf({ ...drop, repeat_every_further_percent: 5 })).toEqual([fault]);
    expect(faultsOf({ ...drop, repeat_every_further_percent: 4.99 })).toEqual([]);
    const listings = { ...drop, metric: 'total_listings_active' };
    expect(faultsOf({ ...listings, repeat_every_further_percent: 5 })).toEqual([]);
    expect(faultsOf({ ...listings, repeat_every_further_percent: 5.01 })).toEqual([fault]);
  });

  it('refuses two seats together for a metric of a condition that has no such series', () => {
    const leaf = { type: 'level', metric: 'avg_price', min_quantity: 2, at_or_below: 90 };
    expect(faultsOf({ ...level, at_or_below: 80, any_of: [leaf] })).toEqual([
      '/any_of/0/min_quantity is allowed only with metric get_in',
    ]);
    expect(
      faultsOf({ ...level, at_or_below: 80, any_of: [{ ...leaf, metric: 'get_in' }] }),
    ).toEqual([]);
  });

  it('says which kinds of rules have a modifier, when a rule can’t have it', () => {
    const rule = { type: 'extreme', metric: 'get_in', new: 'low', within: '7d', fee_percent: 10 };
    expect(faultsOf({ ...rule, rearm_amount: 5, confirmations: 0 })).toEqual([
      '/confirmations must be a whole number from 1 to 10',
      '/rearm_amount has no effect here: the rule stays armed, and each new change or listing counts; to limit its alerts use cool_down_minutes or at_most_per_day',
      '/fee_percent is for level and listing rules: other rules compare no price with a level',
    ]);
  });

  it('refuses a rule that is over before it begins', () => {
    const rule = { ...level, at_or_below: 5, expires_at: '2026-11-01T12:00:00+02:00' };
    const now = Date.UTC(2026, 10, 1, 10);
    expect(readRule(rule, { now })).toEqual({
      ok: false,
      faults: [{ pointer: '/expires_at', message: 'must be in the future' }],
    });
    expect(readRule(rule, { now: now - 1 }).ok).toBe(true);
  });

  it('knows a rule again, however it was spelt', () => {
    const readings = [
      { ...level, at_or_below: 499.99 },
      { at_or_below: '499.990', metric: 'get_in', type: 'level' },
    ].map((rule) => readRule(rule));
    expect(readings.map((reading) => reading.ok && canonicalRule(reading.rule))).toEqual([
      '{"at_or_below":499.99,"metric":"get_in","type":"level"}',
      '{"at_or_below":499.99,"metric":"get_in","type":"level"}',
    ]);
  });

  it('takes conditions three deep and no deeper', () => {
    const leaf = { type: 'fill_rate', at_or_above: 60 };
    const group = (...conditions: unknown[]) => ({ type: 'any_of', conditions });
    const rule = (condition: unknown) => ({ ...level, at_or_below: 80, all_of: [condition] });
    expect(faultsOf(rule(group(group(leaf))))).toEqual([]);
    expect(faultsOf(rule(group(group(group(leaf)))))[0]).toMatch(/no more than three deep/);
  });

  it('takes ten conditions in all and no more', () => {
    const leaf = { type: 'fill_rate', at_or_above: 60 };
    const rule = (count: number) => ({
      ...level,
      at_or_below: 80,
      all_of: [{ type: 'any_of', conditions: Array(5).fill(leaf) }],
      any_of: Array(count - 5).fill(leaf),
    });
    expect(faultsOf(rule(10))).toEqual([]);
    expect(faultsOf(rule(11))).toEqual([' must have at most 10 conditions in all']);
  });
});
