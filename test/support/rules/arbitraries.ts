/** Random rules and markets for the property tests; both small enough that levels are often reached. */
import * as fc from 'fast-check';
import { readRule } from '#shared/rules/language/validate.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { aSnapshot, MINUTE, START } from './market.ts';

type Json = Record<string, unknown>;

/** Prices near each other, so that levels are met exactly and crossed often; in dollars. */
const price = fc.integer({ min: 760, max: 1240 }).map((dimes) => dimes / 10);
const smallPercent = fc.constantFrom(1, 2.5, 5, 10, 15);

function some<T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight, arbitrary });
}

const subject = fc.record({
  metric: fc.constantFrom('get_in', 'median_price'),
  zone: some(fc.constant('Floor')),
});

const side = fc
  .tuple(fc.constantFrom('at_or_below', 'at_or_above', 'below', 'above'), price)
  .map(([name, level]) => ({ [name]: level }));

const window = fc.constantFrom('1h', '6h', '24h', '7d', '30d');

const change = fc
  .tuple(
    fc.constantFrom('drops_by', 'rises_by'),
    fc.oneof(
      fc.record({ percent: smallPercent }),
      fc.record({ percent: smallPercent, min_amount: fc.constantFrom(1, 5) }),
      fc.record({ amount: fc.constantFrom(1, 3, 10) }),
    ),
  )
  .map(([way, by]) => ({ [way]: by }));

const seenBaseline = fc.oneof(
  fc.record({ of: fc.constantFrom('high', 'low', 'start', 'median'), window }),
  fc.constant({ of: 'previous_snapshot' }),
);

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(subject, fc.constantFrom('at_or_below', 'at_or_above'), price)
    .map(([of, name, level]) => ({ type: 'level', ...of, [name]: level })),
  fc.integer({ min: 1, max: 12 }).map((count) => ({
    type: 'supply',
    metric: 'total_listings_active',
    at_or_below: count,
  })),
  fc
    .tuple(subject, change, seenBaseline)
    .map(([of, by, from]) => ({ type: 'change', ...of, ...by, from })),
);

const condition = fc.oneof(
  leaf,
  fc
    .tuple(fc.constantFrom('all_of', 'any_of'), fc.array(leaf, { minLength: 1, maxLength: 2 }))
    .map(([type, conditions]) => ({ type, conditions })),
);

const modifiers = fc.record({
  urgent: some(fc.boolean()),
  confirmations: some(fc.constantFrom(2, 3)),
  cool_down_minutes: some(fc.constantFrom(10, 90)),
  at_most_per_day: some(fc.constantFrom(1, 2)),
  when_already_true: some(fc.constantFrom('fire', 'wait'), 2),
  tell_recovery: some(fc.boolean(), 3),
  on_no_data: some(fc.constantFrom('clear', 'alert'), 2),
  all_of: some(fc.array(condition, { minLength: 1, maxLength: 2 })),
  any_of: some(fc.array(condition, { minLength: 1, maxLength: 2 })),
  expires_at: some(fc.constant(new Date(START + 20 * 60 * MINUTE).toISOString())),
});

const rearm = some(
  fc.oneof(
    fc.constantFrom(0, 1, 8).map((rearm_percent) => ({ rearm_percent })),
    fc.constantFrom(1, 4).map((rearm_amount) => ({ rearm_amount })),
  ),
  3,
);

const repeat = some(fc.constantFrom(0.5, 2, 5), 3);

const levelRule = fc
  .tuple(subject, side, rearm, repeat, some(fc.constantFrom(10, 35.5)))
  .map(([of, level, back, further, fee]) => ({
    type: 'level',
    ...of,
    ...level,
    ...back,
    repeat_every_further_percent: further,
    fee_percent: fee,
  }));

const changeRule = fc
  .tuple(
    subject,
    change,
    fc.oneof(seenBaseline, fc.constantFrom({ of: 'last_alert' }, { of: 'watch_start' })),
    repeat,
    some(fc.constantFrom(0.02, 0.3, 0.5), 6),
    some(fc.constantFrom(0, 0.5, 2)),
    fc.boolean(),
  )
  .map(([of, by, from, further, hours, margin, isCount]) => {
    const { percent } = (by.drops_by ?? by.rises_by ?? {}) as { percent?: number };
    const canRearm =
      margin !== undefined && (percent === undefined || !('window' in from) || margin < percent);
    const canRepeat =
      from.of === 'watch_start' ||
      ('window' in from && 'percent' in (by.drops_by ?? by.rises_by ?? {}));
    return {
      type: 'change',
      ...(isCount ? { metric: 'total_listings_active' } : of),
      ...by,
      from,
      ...(canRepeat && { repeat_every_further_percent: further }),
      ...('window' in from && { min_history_hours: hours }),
      ...(canRearm && { rearm_percent: margin }),
    };
  });

const anyChangeRule = fc
  .tuple(subject, fc.constantFrom({}, { min_percent: 2.5 }, { min_amount: 2 }))
  .map(([of, least]) => ({ type: 'any_change', ...of, ...least }));

const extremeRule = fc
  .tuple(
    subject,
    fc.constantFrom('low', 'high'),
    fc.constantFrom('1h', '6h', '24h', '7d', '30d', 'ever'),
    some(fc.constantFrom(1, 5)),
    some(fc.constantFrom(0.02, 0.3, 0.5), 6),
  )
  .map(([of, which, within, min_amount, min_history_hours]) => ({
    type: 'extreme',
    ...of,
    new: which,
    within,
    min_amount,
    min_history_hours,
  }));

const supplyRule = fc
  .tuple(fc.constantFrom('at_or_below', 'at_or_above'), fc.integer({ min: 1, max: 12 }), repeat)
  .map(([name, count, further]) => ({
    type: 'supply',
    [name]: count,
    repeat_every_further_percent: further,
  }));

/** A rule as a person might send it. */
export const anyRule: fc.Arbitrary<Json> = fc
  .tuple(
    fc.oneof(levelRule, levelRule, changeRule, anyChangeRule, extremeRule, supplyRule),
    modifiers,
  )
  .map(([rule, more]) => JSON.parse(JSON.stringify({ ...rule, ...more })) as Json);

/** A rule that the API accepts: each of its modifiers has an effect. */
export const anyAcceptedRule = anyRule.filter((rule) => readRule(rule).ok);

const centsOrNone = fc.oneof(
  { weight: 12, arbitrary: price.map((dollars) => Math.round(dollars * 100)) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(90, 95, 200_000) },
);

const moment = fc.record({
  gapMinutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 1_600 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 8_000 }) },
  ),
  getIn: centsOrNone,
  median: centsOrNone,
  floor: fc.oneof(
    { weight: 5, arbitrary: centsOrNone },
    { weight: 1, arbitrary: fc.constant('gone' as const) },
  ),
  listings: fc.integer({ min: 0, max: 12 }),
});

/** Snapshots in time order. */
export const anyMarket: fc.Arbitrary<MarketSnapshot[]> = fc
  .array(moment, { minLength: 1, maxLength: 40, size: 'max' })
  .map((moments) => {
    let at = START;
    return moments.map(({ gapMinutes, getIn, median, floor, listings }) => {
      at += gapMinutes * MINUTE;
      const zones = floor === 'gone' ? {} : { Floor: { get_in: floor, median_price: floor } };
      const metrics = { get_in: getIn, median_price: median, total_listings_active: listings };
      return aSnapshot(at, metrics, zones);
    });
  });
