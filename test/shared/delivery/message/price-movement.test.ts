// What a message says of a number that moved several times before it was told.
import { describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { movementsByAlert } from '#shared/delivery/message/price-movement.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';

const minute = 60_000;
const at = (minutes: number, changes: Partial<Alert>) =>
  anAlert({
    alertId: `alt_${minutes}`,
    observedAt: firedAt + minutes * minute,
    series: 'stats/get_in',
    ...changes,
  });
const textsOf = (all: Alert[], told = all) =>
  [...movementsByAlert(all, told)].map(([alertId, { text }]) => [alertId, text]);

describe('the moves of a number', () => {
  it('stand at the last alert of a watch and a series: lowest, highest, last', () => {
    const all = [at(1, { base: 7_400 }), at(3, { base: 7_600 }), at(2, { base: 7_000 })];
    expect(textsOf(all)).toEqual([['alt_3', 'Moved 3 times: lowest $70, highest $76, last $76']]);
  });

  it('count alerts too that are not told by themselves', () => {
    const all = [at(1, { base: 7_000 }), at(2, { base: 7_900 })];
    expect(textsOf(all, all.slice(1))).toEqual([
      ['alt_2', 'Moved 2 times: lowest $70, highest $79, last $79'],
    ]);
  });

  it('are one where two rules spoke of one moment', () => {
    expect(textsOf([at(1, { alertId: 'alt_a' }), at(1, { alertId: 'alt_b' })])).toEqual([]);
  });

  it('are kept apart by watch and by series', () => {
    const watchId = 'wat_00000000000000000000000000000002';
    const zone = 'stats/get_in/zone=Floor';
    expect(textsOf([at(1, {}), at(2, { watchId }), at(3, { series: zone })])).toEqual([]);
  });

  it('are told of one number by rules about its level and about its change', () => {
    const all = [at(1, { base: 7_400 }), at(2, { series: 'stats/get_in/below_low:7d' })];
    expect(textsOf(all)).toEqual([['alt_2', 'Moved 2 times: lowest $74, highest $74, last $74']]);
  });

  it('are counted in listings where listings are counted', () => {
    const series = 'stats/total_listings_active';
    const all = [at(1, { series, base: 1_200 }), at(2, { series, base: 40 })];
    expect(textsOf(all)).toEqual([['alt_2', 'Moved 2 times: lowest 40, highest 1,200, last 40']]);
  });

  it('are not told of data that is missing, nor of whether something is there', () => {
    const gone = { role: 'no_data', series: 'stats/get_in/missing', base: 1 } as const;
    const present = { series: 'stats/present/zone=Floor', base: 1 };
    expect(textsOf([at(1, gone), at(2, gone), at(3, present), at(4, present)])).toEqual([]);
  });
});
