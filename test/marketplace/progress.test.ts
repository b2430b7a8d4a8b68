import { expect, it } from 'vitest';
import { timeLeft } from '#marketplace/progress.ts';

it.each([
  [{ done: 5, all: 20, tookMs: 50_000 }, ', about 3 min left'],
  [{ done: 5, all: 20, tookMs: 1000 }, ', about 3 s left'],
  [{ done: 1, all: 21, tookMs: 300_000 }, ', about 100 min left'],
  [{ done: 0, all: 20, tookMs: 50_000 }, ''],
  [{ done: 20, all: 20, tookMs: 50_000 }, ''],
])('%j: says "%s"', (progress, text) => {
  expect(timeLeft(progress)).toBe(text);
});
