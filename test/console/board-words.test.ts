// What the rows of the board say, without a browser.
import { expect, it } from 'vitest';
import type { ListedWatch } from '../../console/api/calls.ts';
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
