// What is read for many at once is read once, and never older than a moment.
import { describe, expect, it } from 'vitest';
import { rememberBriefly } from '#shared/lambda/brief-memory.ts';

/** A reader over a clock that the test moves; every read answers with how many there were. */
function aReader(keeps?: (answer: number) => boolean) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const read = rememberBriefly(async (key: string) => asked.push(key), {
    forMs: 1_000,
    now: () => clock.now,
    ...(keeps && { keeps }),
  });
  return { asked, clock, read };
}

describe('a brief memory', () => {
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
    const read = rememberBriefly(
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
});
