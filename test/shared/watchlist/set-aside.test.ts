import { expect, it } from 'vitest';
import { isToBeRetried, setAside } from '#shared/watchlist/set-aside.ts';

const minute = 60_000;
const met = { reason: 'its level is not a number', release: 'r1', now: 0 };

it('tries a fault again after 15 minutes, and each time in a row after twice as long, up to a day', () => {
  const first = setAside(undefined, met);
  const second = setAside(first, { ...met, now: 20 * minute });
  const twentieth = setAside({ ...second, times: 19 }, { ...met, now: 30 * minute });
  expect(first).toMatchObject({ since: 0, times: 1, retryAt: 15 * minute });
  expect(second).toMatchObject({ since: 0, times: 2, retryAt: 50 * minute });
  expect(twentieth).toMatchObject({ times: 20, retryAt: 30 * minute + 24 * 60 * minute });
});

it('tries at once what another release set aside', () => {
  const fault = setAside(undefined, met);
  expect(isToBeRetried(fault, 'r1', 14 * minute)).toBe(false);
  expect(isToBeRetried(fault, 'r1', 15 * minute)).toBe(true);
  expect(isToBeRetried(fault, 'r2', 1)).toBe(true);
});
