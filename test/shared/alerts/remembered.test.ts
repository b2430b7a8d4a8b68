// Remembering changes how often something is worked out, never what comes out.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { remembered } from '#shared/alerts/remembered.ts';

it('answers as the function itself does, in any order of questions and at any size', () => {
  const plain = (count: number, text: string | undefined) => `${count}: ${text ?? ''}`;
  const questions = fc.tuple(fc.nat(5), fc.option(fc.constantFrom('a', 'b'), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(questions), fc.integer({ min: 1, max: 4 }), (asked, most) => {
      const remembering = remembered(plain, most);
      for (const question of asked) expect(remembering(...question)).toBe(plain(...question));
    }),
  );
});

it('works an answer out once, though it be nothing', () => {
  const asked: string[] = [];
  const remembering = remembered((text: string) => {
    asked.push(text);
    return undefined;
  });
  for (const text of ['a', 'a', 'b', 'a']) expect(remembering(text)).toBeUndefined();
  expect(asked).toEqual(['a', 'b']);
});

it('forgets what it holds before it holds too much', () => {
  let times = 0;
  const remembering = remembered((number: number) => {
    times += 1;
    return number;
  }, 2);
  for (const number of [1, 2, 3, 1]) remembering(number);
  expect(times).toBe(4);
});

it('remembers no failure', () => {
  let isBroken = true;
  const remembering = remembered((text: string) => {
    if (isBroken) throw new Error('broken');
    return text;
  });
  expect(() => remembering('a')).toThrow('broken');
  isBroken = false;
  expect(remembering('a')).toBe('a');
});
