// What is read for many at once is read once, and never older than a moment.
import { describe, expect, it } from 'vitest';
import { cached, createCache } from '#shared/lambda/cache.ts';

/** A reader over a clock that the test moves; every read answers with how many there were. */
function aReader(keeps?: (answer: number) => boolean) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const read = cached(async (key: string) => asked.push(key), {
    forMs: 1_000,
    now: () => clock.now,
    ...(keeps && { keeps }),
  });
  return { asked, clock, read };
}

describe('a cache', () => {
  it('asks once for those who ask at the same time', async () => {
    const { asked, read } = aReader();
    expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual([1, 1, 2]);
    expect(asked).toEqual(['a', 'b']);
  });

  it('gives an answer that is younger than its time, and asks anew after it', async () => {
    const { clock, read } = aReader();
    await read('a');
    clock.now = 999;
    expect(await read('a')).toBe(1);
    clock.now = 1_000;
    expect(await read('a')).toBe(2);
  });

  it('never gives an answer that is older than its time, however late it was asked for', async () => {
    const { clock, read } = aReader();
    await read('a');
    clock.now = 900;
    expect(await read('b')).toBe(2);
    clock.now = 1_900;
    expect(await read('b')).toBe(3);
  });

  it('asks again for an answer that is not to be kept', async () => {
    const { read } = aReader((answer) => answer > 1);
    expect(await read('a')).toBe(1);
    expect(await read('a')).toBe(2);
    expect(await read('a')).toBe(2);
  });

  it('tells everybody who waited of a failure, and asks again after it', async () => {
    let tries = 0;
    const read = cached(
      async (_key: string) => {
        tries += 1;
        if (tries === 1) throw new Error('throttled');
        return tries;
      },
      { forMs: 1_000, now: () => 0 },
    );
    const both = await Promise.allSettled([read('a'), read('a')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read('a')).toBe(2);
  });

  it('drops the oldest value when it is full', async () => {
    const asked: string[] = [];
    const cache = createCache<string, number>({ forMs: 1_000, now: () => 0, mostValues: 2 });
    const read = (key: string) => cache.read(key, async () => asked.push(key));
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await read(key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('serves the last value while reads fail, and reads again each time', async () => {
    const clock = { now: 0 };
    let isDown = false;
    let reads = 0;
    const read = cached(
      async (_key: string) => {
        reads += 1;
        if (isDown) throw new Error('throttled');
        return reads;
      },
      { forMs: 1_000, now: () => clock.now, servesStale: true },
    );
    expect(await read('a')).toBe(1);
    isDown = true;
    clock.now = 5_000;
    expect(await Promise.all([read('a'), read('a')])).toEqual([1, 1]);
    expect(await read('a')).toBe(1);
    expect(reads).toBe(3);
    isDown = false;
    expect(await read('a')).toBe(4);
    await expect(
      cached(async () => Promise.reject(new Error('x')), {
        forMs: 1,
        now: () => 0,
        servesStale: true,
      })('a'),
    ).rejects.toThrow('x');
  });
});
