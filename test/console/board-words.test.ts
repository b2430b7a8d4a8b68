// What the rows of the board say, without a browser.
import { expect, it } from 'vitest';
import type { BulkRun, ListedWatch } from '../../console/api/calls.ts';
import { resultWords } from '../../console/screens/board/change-words.ts';
import { levelOf } from '../../console/screens/board/row-words.ts';

const watchWith = (rule: Record<string, unknown>, standing: Record<string, unknown>) =>
  ({
    rules: [{ id: 'rul_1', rule }],
    standing: { nearest_rule: 'rul_1', rules: [{ id: 'rul_1', ...standing }] },
  }) as unknown as ListedWatch;

it.each([
  [{ type: 'level' }, { level: 120, unit: 'dollars' }, '$120'],
  [{ type: 'change' }, { level: 20, unit: 'percent' }, '20%'],
  [{ type: 'extreme', new: 'low' }, { level: 118.49, unit: 'dollars' }, 'new low $118.49'],
  [{ type: 'any_change' }, { level: null, unit: 'dollars' }, 'any change'],
])('the level of %j', (rule, standing, text) => {
  expect(levelOf(watchWith(rule, standing))).toBe(text);
});

it.each([
  [{ counts: { changed: 1 } }, 'Paused 1 watch'],
  [{ counts: { unchanged: 1 } }, '1 watch was so already'],
  [
    {
      counts: { refused: 2 },
      watches: [{ id: 'wat_1', outcome: 'refused', detail: 'it is deleted' }],
    },
    '2 refused: it is deleted',
  ],
  [
    { state: 'done', counts: { changed: 998, refused: 2 } },
    'Paused 998 watches; 2 refused: see the jobs in Settings',
  ],
  [
    { state: 'cancelled', counts: { changed: 200 }, done: 200, total: 1_000 },
    'Paused 200 watches; stopped at 200 of 1,000',
  ],
])('a change that ended with %j is told so', (run, words) => {
  expect(resultWords('Paused', run as BulkRun)).toBe(words);
});
