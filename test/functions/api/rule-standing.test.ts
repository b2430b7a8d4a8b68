// The standing of every kind of rule as a sentence, and its numbers.
import { describe, expect, it } from 'vitest';
import { standingOf } from '#functions/api/watches/rule-standing.ts';
import type { Listing } from '#shared/marketplace/reading/listings.ts';
import { filterKeyOf } from '#shared/rules/language/listing-filter.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { readSeries } from '#shared/rules/reading.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import { aSnapshot, Market, ruleOf, START } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in' };
const change = { type: 'change', metric: 'get_in' };
const newLow = { type: 'extreme', metric: 'get_in', new: 'low' };
const day = { of: 'high', window: '24h' };

/** The standing after these snapshots, one an hour. */
async function standingAfter(json: object, snapshots: readonly Snapshot[]) {
  const rule: Rule = ruleOf(json);
  const market = new Market();
  await market.make(rule, START);
  await market.see(...snapshots);
  const [trigger, newest] = [market.trigger(), market.newest];
  const { observedAt } = newest ?? { observedAt: START };
  const reading = newest
    ? { ...readSeries(trigger.series, newest, market.history), observedAt }
    : undefined;
  return standingOf({ ruleId: 'rul_1', rule, trigger, reading });
}

const hourly = <T>(values: readonly T[], metrics: (value: T) => Parameters<typeof aSnapshot>[1]) =>
  values.map((value, hour) => aSnapshot(START + hour * HOUR_MS, metrics(value)));

const prices = (...dollars: (number | null)[]) =>
  hourly(dollars, (price) => ({ get_in: price === null ? null : Math.round(price * 100) }));
const counts = (...values: number[]) =>
  hourly(values, (count) => ({ total_listings_active: count }));
const rates = (...percent: number[]) =>
  hourly(percent, (rate) => ({ listing_fill_rate: rate * 100 }));

const flat = (hours: number, price: number) => Array.from({ length: hours }, () => price);

describe('the words of a price', () => {
  it.each([
    [{ ...level, at_or_below: 80 }, [92.5], 'Get-in is $92.50, $12.50 above your level of $80'],
    [{ ...level, at_or_below: 95 }, [92.5], 'Get-in is $92.50, at or below your level of $95'],
    [{ ...level, at_or_above: 95 }, [92.5], 'Get-in is $92.50, $2.50 below your level of $95'],
    [{ ...level, at_or_above: 90 }, [92.5], 'Get-in is $92.50, at or above your level of $90'],
    [{ ...level, below: 80 }, [80], 'Get-in is $80, at your level of $80 and not below it'],
    [{ ...level, below: 80 }, [81], 'Get-in is $81, $1 above your level of $80'],
    [{ ...level, below: 80 }, [79], 'Get-in is $79, below your level of $80'],
    [{ ...level, above: 80 }, [79], 'Get-in is $79, $1 below your level of $80'],
    [
      { ...level, at_or_below: 90, fee_percent: 28 },
      [80],
      'Get-in is $80 ($102.40 with your 28% fee), $12.40 above your level of $90',
    ],
    [
      { ...level, metric: 'median_price', zone: 'Floor', at_or_below: 90 },
      [80],
      'No median price of Floor at the newest snapshot',
    ],
    [{ ...level, at_or_below: 90 }, [null], 'No get-in at the newest snapshot'],
    [
      { ...level, at_or_below: 90, on_no_data: 'clear' },
      [100, null],
      'No get-in at the newest snapshot',
    ],
    [{ ...level, at_or_below: 90 }, [], 'No snapshot of this event is stored yet'],
  ])('%j at %j', async (rule, dollars, words) => {
    expect((await standingAfter(rule, prices(...dollars))).words).toBe(words);
  });
});

describe('the words of a change', () => {
  it.each([
    [
      { ...change, drops_by: { percent: 15 }, from: day },
      [...flat(23, 100), 90],
      'Get-in is $90, 10% below the high of the last 24 hours ($100); your rule asks for a drop of 15%',
    ],
    [
      { ...change, drops_by: { percent: 15, min_amount: 5 }, from: day },
      [...flat(14, 100), 80],
      'Get-in is $80, 20% below the high of the 14 hours watched ($100); your rule asks for a drop of 15% and at least $5',
    ],
    [
      { ...change, drops_by: { amount: 20 }, from: { of: 'median', window: '7d' } },
      [100, 100, 110],
      'Get-in is $110, 10% above the median of the 2 hours watched ($100); your rule asks for a drop of $20; it is silent until 84 hours are known (2 hours now)',
    ],
    [
      { ...change, rises_by: { percent: 15 }, from: { of: 'previous_snapshot' } },
      [100, 100],
      'Get-in is $100, the same as the snapshot before; your rule asks for a rise of 15%',
    ],
    [
      { ...change, rises_by: { percent: 15 }, from: { of: 'watch_start' } },
      [100, 95, 110],
      'Get-in is $110, 10% above the start of the watch ($100); your rule asks for a rise of 15%',
    ],
    [
      { ...change, drops_by: { percent: 10 }, from: { of: 'last_alert' } },
      [100, 90, 85.5],
      'Get-in is $85.50, 5% below the last alert ($90); your rule asks for a drop of 10%',
    ],
    [
      { ...change, drops_by: { percent: 10 }, from: { of: 'previous_snapshot' } },
      [100],
      'Get-in is $100; no earlier value is known to compare it with; your rule asks for a drop of 10%',
    ],
    [
      { type: 'any_change', metric: 'get_in' },
      [92, 90],
      'Get-in is $90, 2.2% below the snapshot before ($92); your rule asks for any change',
    ],
    [
      { type: 'any_change', metric: 'get_in', min_amount: 5 },
      [92, 90],
      'Get-in is $90, 2.2% below the snapshot before ($92); your rule asks for a change of $5 or more',
    ],
    [
      { ...newLow, within: '24h' },
      [...flat(23, 73.08), 110],
      'Get-in is $110; a new low within 24 hours is $73.07 or less',
    ],
    [
      { ...newLow, within: '7d', min_amount: 5 },
      [100, 110],
      'Get-in is $110; a new low within the 60 min watched is $95 or less; it is silent until 84 hours are known (60 min now)',
    ],
    [
      { ...newLow, new: 'high', within: 'ever' },
      [...flat(40, 100), 110],
      'Get-in is $110, the highest of the 40 hours watched',
    ],
    [
      { ...newLow, within: '24h' },
      [110],
      'Get-in is $110; no earlier price is known to compare it with; it is silent until 12 hours are known (0 min now)',
    ],
  ])('%j after %j', async (rule, dollars, words) => {
    expect((await standingAfter(rule, prices(...dollars))).words).toBe(words);
  });
});

describe('the words of a count or a rate', () => {
  it.each([
    [
      { type: 'supply', at_or_below: 210 },
      counts(197, 200),
      '200 active listings, at or below your level of 210',
    ],
    [
      { type: 'supply', at_or_below: 210 },
      counts(1_230),
      '1,230 active listings, 1,020 more than your level of 210',
    ],
    [
      { type: 'supply', at_or_above: 5 },
      counts(1),
      '1 active listing, 4 fewer than your level of 5',
    ],
    [
      { type: 'supply', becomes: 'available' },
      counts(0),
      'No active listings; your rule waits for the first one',
    ],
    [
      { type: 'supply', becomes: 'sold_out' },
      counts(12),
      '12 active listings; your rule waits until none is left',
    ],
    [
      { type: 'supply', zone: 'Floor', becomes: 'sold_out' },
      [aSnapshot(START, { total_listings_active: 9 }, { Floor: { get_in: 9_000 } })],
      'There are listings in Floor; your rule waits until none is left',
    ],
    [
      { type: 'change', metric: 'total_listings_active', drops_by: { amount: 20 }, from: day },
      counts(...flat(23, 210), 200),
      '200 active listings, 4.8% below the high of the last 24 hours (210); your rule asks for a drop of 20',
    ],
    [
      { type: 'fill_rate', at_or_above: 62 },
      rates(61.5),
      'Fill rate is 61.5%, 0.5 points below your level of 62%',
    ],
  ])('%j', async (rule, snapshots, words) => {
    expect((await standingAfter(rule, snapshots)).words).toBe(words);
  });
});

describe('the words of a listing rule', () => {
  const rule = { type: 'listing', sections: ['101-105'], at_or_below: 150, fee_percent: 10 };
  const seat = {
    zone: 'Lower Bowl',
    section: '101',
    row: 'A',
    quantity: 2,
    quantity_start: 2,
    active: true,
    created_at: '2026-10-01T00:00:00Z',
    updated_at: '2026-10-01T00:00:00Z',
  };
  const seen = (...dollars: number[]) =>
    snapshotFromListings({
      eventId: 7,
      observedAt: START,
      rows: dollars.map((price, index): Listing => ({ ...seat, listing_id: index, price })),
      filters: [filterKeyOf({ sections: ['101-105'] })],
      previous: null,
    });

  it.each([
    [[160], 'The cheapest match is $160 ($176 with your 10% fee), $26 above your level of $150'],
    [[130], 'The cheapest match is $130 ($143 with your 10% fee), at or below your level of $150'],
    [[], 'No listing matches now'],
  ])('at %j', async (dollars, words) => {
    expect((await standingAfter(rule, [seen(...dollars)])).words).toBe(words);
  });
});

describe('the numbers', () => {
  it.each([
    [
      'of a level with a fee include the fee',
      { ...level, at_or_below: 90, fee_percent: 28 },
      [80],
      { unit: 'price', value: 10_240, level: 9_000, distance: 1_240, isReached: false },
    ],
    [
      'of a new low are prices',
      { ...newLow, within: '24h' },
      [...flat(13, 73.08), 110],
      { unit: 'price', value: 11_000, level: 7_307, distance: 3_693, isReached: false },
    ],
    [
      'of a new high are prices',
      { ...newLow, new: 'high', within: '24h' },
      [100, 99],
      { value: 9_900, level: 10_001, distance: 101, isReached: false },
    ],
    [
      'of a drop are its percent; too few dollars are not enough',
      { ...change, drops_by: { percent: 10, min_amount: 50 }, from: day },
      [100, 85],
      { unit: 'rate', value: 1_500, level: 1_000, distance: -500, isReached: false },
    ],
  ])('%s', async (_, rule, dollars, numbers) => {
    expect(await standingAfter(rule, prices(...dollars))).toMatchObject(numbers);
  });
});
