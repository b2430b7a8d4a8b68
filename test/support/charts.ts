// Charts of typical series, and of any series.
import fc from 'fast-check';
import type { ChartFacts, ChartPoint } from '#shared/charts/chart.ts';

const hourMs = 3_600_000;
/** 2:02 PM in New York. */
export const chartEnd = Date.parse('2026-11-29T19:02:00Z');

/** "$1,025.50" from cents. */
export function dollars(cents: number): string {
  const whole = Math.trunc(cents / 100).toLocaleString('en-US');
  return cents % 100 === 0
    ? `$${whole}`
    : `$${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** A chart whose last value is at `chartEnd`. */
export function aChart(points: ChartPoint[], changes: Partial<ChartFacts> = {}): ChartFacts {
  return {
    title: 'Get-in',
    chart: { points, utcOffsetMinutes: -300 },
    tone: 'fall',
    level: undefined,
    valueText: dollars,
    ...changes,
  };
}

/** Values evenly apart, the last at `chartEnd`. */
export function valuesEvery(stepMs: number, values: readonly number[]): ChartPoint[] {
  const start = chartEnd - (values.length - 1) * stepMs;
  return values.map((value, index) => [start + index * stepMs, value]);
}

function levelAt(value: number, label = dollars(value)): ChartFacts['level'] {
  return { value, label, words: `Your level: ${label}` };
}

/** A number from -500 to 500 that looks random and is the same each time. */
function noise(index: number): number {
  return ((index * index * 7_919 + index * 104_729) % 1_001) - 500;
}

const fallingWeek = Array.from({ length: 96 }, (_, index) => {
  const value = 16_000 - Math.max(0, index - 40) * 90 + noise(index);
  return index === 95 ? 11_800 : Math.round(value / 100) * 100;
});
const jumpingDay = Array.from({ length: 60 }, (_, index) =>
  index === 59 ? 12_350 : 8_000 + Math.round(noise(index) / 100) * 80,
);
const sellingOut = Array.from({ length: 80 }, (_, index) =>
  index === 79 ? 0 : Math.max(1, 62 - index + (index % 5)),
);
const loneSpike = Array.from({ length: 96 }, (_, index) =>
  index === 60 ? 31_000 : index === 95 ? 9_900 : 10_000 + (index % 3) * 100,
);

/** One chart of each kind that alerts have. */
export const typicalCharts: Record<string, ChartFacts> = {
  falling: aChart(valuesEvery(1.75 * hourMs, fallingWeek), { level: levelAt(12_000) }),
  jumping: aChart(valuesEvery(hourMs / 2.5, jumpingDay), { tone: 'rise', level: levelAt(11_000) }),
  flat: aChart(valuesEvery(56 * hourMs, [9_000, 9_000, 9_000, 9_000]), { level: levelAt(9_000) }),
  'two-points': aChart(valuesEvery(3 * hourMs, [9_000, 7_400]), { level: levelAt(8_000) }),
  'lone-spike': aChart(valuesEvery(1.75 * hourMs, loneSpike), { level: levelAt(9_900) }),
  counts: aChart(valuesEvery(2 * hourMs, sellingOut), {
    ...{ title: 'Active listings', level: levelAt(20, '20'), valueText: String },
  }),
  percent: aChart(valuesEvery(1.5 * hourMs, [...fallingWeek.slice(0, 40), 13_550]), {
    level: levelAt(13_600, '$136 (15% below $160)'),
  }),
  'no-value': aChart(valuesEvery(12 * hourMs, [9_000, 8_000, 9_500, 9_600]), { tone: 'none' }),
  hour: aChart(valuesEvery(5 * 60_000, [124_000, 121_500, 118_050, 110_000, 112_500, 104_999]), {
    level: levelAt(105_000),
  }),
};

/** Any chart that an alert may keep: up to 96 points at any times, any values, any level. */
export const arbitraryChart: fc.Arbitrary<ChartFacts> = fc
  .record({
    gaps: fc.array(fc.integer({ min: 1, max: 5 * 24 * hourMs }), { minLength: 1, maxLength: 95 }),
    values: fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 96, maxLength: 96 }),
    level: fc.option(fc.integer({ min: 0, max: 100_000_000 })),
    tone: fc.constantFrom('fall', 'rise', 'none'),
    utcOffsetMinutes: fc.integer({ min: -720, max: 840 }),
  })
  .map(({ gaps, values, level, tone, utcOffsetMinutes }) => {
    let at = chartEnd - gaps.reduce((sum, gap) => sum + gap, 0);
    const points = [0, ...gaps].map((gap, index): ChartPoint => {
      at += gap;
      return [at, values[index] ?? 0];
    });
    const drawn = level === null ? {} : { level: levelAt(level) };
    return aChart(points, { chart: { points, utcOffsetMinutes }, tone, ...drawn });
  });
