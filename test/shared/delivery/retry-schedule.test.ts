// How long a failed delivery waits for its next attempt.
import { expect, it } from 'vitest';
import { decideRetry } from '#shared/delivery/retry-schedule.ts';

it('waits up to a tenth longer than planned, and at least as long as the receiver asks', () => {
  expect(decideRetry(1, 0)).toEqual({ kind: 'retry', afterMs: 5_000 });
  expect(decideRetry(1, 1)).toEqual({ kind: 'retry', afterMs: 5_500 });
  expect(decideRetry(2, 0.5)).toEqual({ kind: 'retry', afterMs: 315_000 });
  expect(decideRetry(2, 0.5, 3_600_000)).toEqual({ kind: 'retry', afterMs: 3_600_000 });
  expect(decideRetry(2, 0.5, 1_000)).toEqual({ kind: 'retry', afterMs: 315_000 });
  expect(decideRetry(9, 0)).toEqual({ kind: 'retry', afterMs: 86_400_000 });
  expect(decideRetry(10, 0)).toEqual({ kind: 'give_up', reason: 'attempts_exhausted' });
});

it('waits nine times, up to the end of the fourth day', () => {
  const minutes = Array.from({ length: 9 }, (_, index) => {
    const decision = decideRetry(index + 1, 0);
    return decision.kind === 'retry' ? decision.afterMs / 60_000 : undefined;
  });
  expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]);
});
