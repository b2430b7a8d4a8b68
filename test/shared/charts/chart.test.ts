// Which stored values are charts: damage in one may cost its picture, and shows no wrong one.
import { describe, expect, it } from 'vitest';
import { isChart } from '#shared/charts/chart.ts';
import { latestMoment } from '#shared/moment.ts';

const chart = {
  points: [
    [1_700_000_000_000, 9_000],
    [1_700_001_800_000, 7_400],
  ],
  utcOffsetMinutes: -300,
};

it('a kept chart is one', () => {
  expect(isChart(chart)).toBe(true);
});

describe('no chart is', () => {
  it.each([
    ['with a time that no date can have', { points: [...chart.points, [latestMoment + 1, 1]] }],
    ['with a price that is no number', { points: [...chart.points, [1_800_000_000_000, '74']] }],
    ['out of order', { points: chart.points.toReversed() }],
    ['with one point', { points: chart.points.slice(1) }],
    ['with a clock days away from UTC', { utcOffsetMinutes: 1e12 }],
    ['without a clock', { utcOffsetMinutes: undefined }],
  ])('one %s', (_what, damage) => {
    expect(isChart({ ...chart, ...damage })).toBe(false);
  });
});
