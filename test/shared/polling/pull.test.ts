// The names and days of the ledger's rows.
import { expect, it } from 'vitest';
import { claimIn, type Pull, pullOf } from '#shared/polling/pull.ts';

const row = (claim: string, facts: Partial<Pull>): Pull => ({
  ...pullOf({
    ...{ claim, eventId: 7, kind: 'stats', pulls: 1, reason: 'test', state: 'settled' },
    ...{ pulledAt: Date.parse('2026-03-01T23:59:59Z'), watches: 1 },
  }),
  ...facts,
});

it('names a call by its feed and claim, on the day of the call', () => {
  expect(row('a', {})).toMatchObject({ day: '2026-03-01', callId: 'stats#7#a' });
});

it('finds the claim in the name of a call', () => {
  expect(claimIn(row('resolve_id/7/1', {}).callId)).toBe('resolve_id/7/1');
});
