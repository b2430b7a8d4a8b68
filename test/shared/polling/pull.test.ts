// The ledger's rows by kind: what settled calls cost, and the calls whose answer was lost.
import { expect, it } from 'vitest';
import { countByKind, type Pull, pullOf } from '#shared/polling/pull.ts';

const row = (claim: string, facts: Partial<Pull>): Pull => ({
  ...pullOf({
    ...{ claim, eventId: 7, kind: 'stats', pulls: 1, reason: 'test', state: 'settled' },
    ...{ pulledAt: Date.parse('2026-03-01T23:59:59Z'), watches: 1 },
  }),
  ...facts,
});

it('sums the pulls of settled calls and lists the others', () => {
  const lost = row('c', { state: 'unsettled', pulls: 5 });
  const rows = [
    row('a', { pulls: 2 }),
    row('b', { pulls: 1 }),
    lost,
    row('d', { kind: 'listings' }),
  ];
  expect(countByKind(rows)).toMatchObject({
    stats: { settled: 3, rows: [lost] },
    listings: { settled: 1, rows: [] },
  });
});

it('names a call by its feed and claim, on the day of the call', () => {
  expect(row('a', {})).toMatchObject({ day: '2026-03-01', callId: 'stats#7#a' });
});
