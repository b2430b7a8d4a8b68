// The rows of a day added up: what settled calls cost, and the calls whose answer was lost.
import { expect, it } from 'vitest';
import { countByKind, countRow, emptyDay, pullsOfDay } from '#shared/polling/ledger-day.ts';
import { type Pull, pullOf } from '#shared/polling/pull.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const row = (claim: string, facts: Partial<Pull> = {}): Pull => ({
  ...pullOf({
    ...{ claim, eventId: 7, kind: 'stats', pulls: 1, reason: 'test', state: 'settled' },
    ...{ pulledAt: noon, watches: 1 },
  }),
  ...facts,
});

it('sums the pulls of settled calls by kind and lists the others', () => {
  const lost = row('c', { state: 'unsettled', pulls: 5 });
  const day = emptyDay('2026-03-01', 0);
  for (const each of [row('a', { pulls: 2 }), row('b'), lost, row('d', { kind: 'listings' })]) {
    countRow(day, each);
  }
  expect(pullsOfDay(day)).toBe(9);
  expect(countByKind([day])).toMatchObject({
    stats: { settled: 3, rows: [lost] },
    listings: { settled: 1, rows: [] },
  });
});

it('leaves out rows before the time from which it counts', () => {
  const day = emptyDay('2026-03-01', noon);
  expect(countRow(day, row('a', { pulledAt: noon - 1 }))).toBe(false);
  expect(countRow(day, row('b'))).toBe(true);
  expect(pullsOfDay(day)).toBe(1);
});
