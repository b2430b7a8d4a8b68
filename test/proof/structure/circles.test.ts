import { expect, it } from 'vitest';
import { circlesOf } from './circles.ts';

it('finds files that reach each other, and neither a chain nor a package', () => {
  const imports = new Map([
    ['a', ['b', 'zod']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', []],
    ['f', ['g']],
    ['g', ['f']],
  ]);
  expect(circlesOf(imports)).toEqual([
    ['a', 'b', 'c'],
    ['f', 'g'],
  ]);
});
