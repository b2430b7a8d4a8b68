// A chart in a sentence.
import { describe, expect, it } from 'vitest';
import { chartAltText } from '#shared/charts/alt-text.ts';
import type { ChartFacts, ChartPoint } from '#shared/charts/chart.ts';

const at = (iso: string) => Date.parse(iso);

function factsOf(points: ChartPoint[], changes: Partial<ChartFacts> = {}): ChartFacts {
  return {
    title: 'Get-in',
    chart: { points, utcOffsetMinutes: -300 },
    tone: 'fall',
    level: undefined,
    valueText: (value) => `$${value / 100}`,
    ...changes,
  };
}

const week: ChartPoint[] = [
  [at('2026-11-22T15:00:00Z'), 16_400],
  [at('2026-11-24T15:00:00Z'), 17_000],
  // Still November 27 in New York.
  [at('2026-11-28T03:00:00Z'), 11_200],
  [at('2026-11-29T15:00:00Z'), 11_800],
];

describe('the text of a chart', () => {
  it('tells its span, its ends, its lowest and highest value by the local day, and the level', () => {
    const level = { value: 12_000, label: '$120', words: 'Your level: $120' };
    expect(chartAltText(factsOf(week, { level }))).toBe(
      'Get-in of the last 7 days: from $164 down to $118; lowest $112 on Nov 27; highest $170 on Nov 24. Your level: $120.',
    );
  });

  it.each<[string, [minute: number, value: number][], string]>([
    [
      'a rise',
      [
        [0, 5_000],
        [600, 8_000],
      ],
      'Get-in of the last 10 hours: from $50 up to $80.',
    ],
    [
      'a dip of an hour, without its day',
      [
        [0, 5_000],
        [30, 4_000],
        [60, 5_000],
      ],
      'Get-in of the last 60 minutes: from $50 back to $50; lowest $40.',
    ],
    [
      'no change',
      [
        [0, 5_000],
        [60 * 24 * 3, 5_000],
      ],
      'Get-in of the last 3 days: $50 all the time.',
    ],
    [
      'a moment',
      [
        [0, 5_000],
        [1, 4_000],
      ],
      'Get-in of the last minute: from $50 down to $40.',
    ],
    ['a single point', [[0, 5_000]], ''],
  ])('tells %s', (_name, points, expected) => {
    const inMs = points.map(([minute, value]): ChartPoint => [minute * 60_000, value]);
    expect(chartAltText(factsOf(inMs))).toBe(expected);
  });
});
