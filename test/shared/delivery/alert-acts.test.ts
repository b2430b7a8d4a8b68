// Which acts a message offers for an alert, and the words of their buttons.
import { describe, expect, it } from 'vitest';
import { type ActedAlert, nextLevel, offeredActs } from '#shared/delivery/alert-acts.ts';

const alertOf = (changes: Partial<ActedAlert>): ActedAlert => ({
  ...{ series: 'stats/get_in', direction: 'down', role: 'main' },
  ...{ base: 11_800, baseline: null, askedLevel: null },
  ...changes,
});
const labels = (changes: Partial<ActedAlert>) =>
  offeredActs(alertOf(changes)).map(({ label }) => label);

describe('the acts of an alert', () => {
  it('are named by what the link does', () => {
    expect(offeredActs(alertOf({ askedLevel: 12_000 }))).toEqual([
      { act: 'bought', label: 'Bought it' },
      { act: 'new_low', label: 'Silent until a new low' },
      { act: 'level', label: 'Level to $114' },
      { act: 'snooze', label: 'Snooze a day' },
    ]);
  });

  it.each<[string, Partial<ActedAlert>, string[]]>([
    [
      'a listing’s price',
      { series: 'listings/new_cheapest/sections=101', askedLevel: 8_900 },
      ['Bought it', 'Silent until a new low', 'Level to $84.55', 'Snooze a day'],
    ],
    [
      'a price above its level',
      { direction: 'up', askedLevel: 20_000 },
      ['Bought it', 'Level to $210', 'Snooze a day'],
    ],
    [
      'a drop, whose series rises',
      { series: 'stats/get_in/drop_pct:high:24h', direction: 'up', baseline: 15_000 },
      ['Bought it', 'Silent until a new low', 'Snooze a day'],
    ],
    [
      'a new low',
      { series: 'stats/get_in/below_low:7d', direction: 'up' },
      ['Bought it', 'Silent until a new low', 'Snooze a day'],
    ],
    [
      'a new high',
      { series: 'stats/get_in/above_high:7d', direction: 'up' },
      ['Bought it', 'Snooze a day'],
    ],
    [
      'any change, downwards',
      { series: 'stats/get_in/change:previous', direction: 'up', baseline: 12_000 },
      ['Bought it', 'Silent until a new low', 'Snooze a day'],
    ],
    [
      'any change, upwards',
      { series: 'stats/get_in/change:previous', direction: 'up', baseline: 11_000 },
      ['Bought it', 'Snooze a day'],
    ],
    [
      'a number of listings',
      { series: 'stats/total_listings_active', base: 30, askedLevel: 40 },
      ['Bought it', 'Snooze a day'],
    ],
    ['a recovery', { role: 'recovery', askedLevel: 12_000 }, ['Bought it', 'Snooze a day']],
    ['no price any more', { role: 'no_data', askedLevel: 12_000 }, ['Bought it', 'Snooze a day']],
    ['the lowest price there is', { base: 1, askedLevel: 1 }, ['Bought it', 'Snooze a day']],
  ])('for %s', (_, changes, expected) => {
    expect(labels(changes)).toEqual(expected);
  });

  it('offer no level above the highest that a rule may have', () => {
    expect(nextLevel(alertOf({ direction: 'up' }), 999_000_000)).toBeUndefined();
  });
});
