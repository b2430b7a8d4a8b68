// How much a feed counts when the budget is short.
import { expect, it } from 'vitest';
import { weightOf } from '#shared/polling/weight.ts';

const dayMs = 86_400_000;
const usual = { wishedMs: 60_000, distance: null, msToEvent: null, watches: 1 };

it.each([
  ['two, if nothing is known', {}, 2],
  ['four at the level', { distance: 0 }, 4],
  ['four past the level', { distance: -0.5 }, 4],
  ['two at an eighth away', { distance: 0.125 }, 2],
  ['four times as much at the start', { msToEvent: 0 }, 8],
  ['four times as much after the start', { msToEvent: -dayMs }, 8],
  ['twice as much three days before', { msToEvent: 3 * dayMs }, 4],
  ['half as much 21 days before', { msToEvent: 21 * dayMs }, 1],
  ['half as much a year before', { msToEvent: 365 * dayMs }, 1],
  ['half as much at four times the latency', { wishedMs: 240_000 }, 1],
  ['no more at a shorter latency than a minute', { wishedMs: 1_000 }, 2],
  ['three times as much for three watches', { watches: 3 }, 6],
  ['as much as for one without a watch', { watches: 0 }, 2],
])('a feed weighs %s', (_title, changes, expected) => {
  expect(weightOf({ ...usual, ...changes })).toBeCloseTo(expected, 10);
});
