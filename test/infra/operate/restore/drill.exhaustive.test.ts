// Restores at any moment of any course of prices, with and without the tables from before.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sent } from '#test/support/pipeline.ts';
import { below80, RestoreDrill } from '../../support/restore-drill.ts';

describe('whatever the prices, the backup and the moment of the stop', () => {
  const prices = fc.array(fc.constantFrom(50, 70, 79, 90, 120), { minLength: 1, maxLength: 6 });
  const rule = fc.constantFrom<object>(
    below80,
    { ...below80, tell_recovery: true },
    { ...below80, confirmations: 2 },
    { ...below80, repeat_every_further_percent: 10 },
    { type: 'any_change', metric: 'get_in' },
    { type: 'change', metric: 'get_in', drops_by: { percent: 10 }, from: { of: 'last_alert' } },
  );

  it('nothing is lost, and nothing is sent twice without being said', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ rule, early: prices, gap: prices, late: prices, isKnown: fc.boolean() }),
        async ({ rule: wanted, early, gap, late, isKnown }) => {
          const whole = await uninterrupted(wanted, [...early, ...gap, ...late]);

          const drill = await RestoreDrill.begin([wanted]);
          await drill.minutes(...early);
          const backup = await drill.backUp();
          await drill.minutes(...gap);
          const { before } = await drill.restore(backup, isKnown);
          await drill.minutes(...late);

          const names = (sent: readonly Sent[]) => sent.map(nameOf);
          const repeats = drill.pipeline.sent.filter((one) => names(before).includes(nameOf(one)));
          expect(repeats.every(({ alert }) => alert.mayRepeatSince === backup.to)).toBe(true);
          if (isKnown) expect(repeats).toEqual([]);
          expect(new Set([...names(before), ...names(drill.pipeline.sent)])).toEqual(
            new Set(whole),
          );
          await drill.end();
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 900_000);

  /** What a run without a restore tells. */
  async function uninterrupted(wanted: object, all: readonly number[]): Promise<string[]> {
    const drill = await RestoreDrill.begin([wanted]);
    await drill.minutes(...all);
    await drill.end();
    return drill.pipeline.sent.map(nameOf);
  }

  const nameOf = ({ alert: { role, observedAt, value } }: Sent) => `${role} ${observedAt} ${value}`;
});
