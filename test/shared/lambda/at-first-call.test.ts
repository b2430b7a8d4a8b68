// Code that is loaded at the first call.
import { describe, expect, it } from 'vitest';
import { atFirstCall } from '#shared/lambda/at-first-call.ts';

describe('a call whose function is loaded later', () => {
  it('loads it once, also if the first calls come together', async () => {
    let loads = 0;
    const double = atFirstCall(async () => {
      loads += 1;
      return async (number: number) => number * 2;
    });

    expect(loads).toBe(0);
    expect(await Promise.all([double(1), double(2)])).toEqual([2, 4]);
    expect(await double(3)).toBe(6);
    expect(loads).toBe(1);
  });

  it('loads it again after a failure', async () => {
    let loads = 0;
    const answer = atFirstCall(async () => {
      loads += 1;
      if (loads === 1) throw new Error('no memory');
      return async () => 'here';
    });

    await expect(answer()).rejects.toThrow('no memory');
    expect(await answer()).toBe('here');
  });
});
