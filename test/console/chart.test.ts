// The chart of prices without a browser: where things are, what is drawn, and what the crosshair says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionAt, rangeOf, readoutAt } from '../../console/parts/chart/chart-data.ts';
import { chartOf, isBlank, metricsFor } from '../../console/parts/chart/event-chart.ts';
import { stepAt } from '../../console/parts/chart/level-steps.ts';
import { barsPath, linePath, looksPath } from '../../console/parts/chart/paths.ts';
import {
  type ChartArea,
  timeAt,
  timeTicks,
  valueTicks,
  xOf,
  yOf,
} from '../../console/parts/chart/scale.ts';
import { endOfDate } from '../../console/words/zone-times.ts';

/** 100 pixels for 100 seconds, 50 pixels for 50 dollars. */
const area: ChartArea = {
  ...{ left: 10, top: 5, width: 100, height: 50 },
  ...{ low: 100, high: 150, from: 0, to: 100_000 },
};
const line = (look: 'main' | 'thin', values: (number | null)[]) => ({ name: 'x', look, values });

describe('a chart', () => {
  it('draws the main line in steps, the others straight, and none where nothing was for sale', () => {
    const times = [0, 20, 40, 60];
    expect(linePath(area, times, line('main', [150, 100, null, 125]))).toBe('M0 0H20V50H40M60 25');
    expect(linePath(area, times, line('thin', [150, 100, null, 125]))).toBe('M0 0L20 50M60 25');
  });

  it('has bars of the last value within each, up to the newest time', () => {
    expect(barsPath(area, [0, 10], [10, 20])).toBe('M0 50v-5h6v5z' + 'M9 50v-10h6v10z');
    expect(barsPath(area, [0, 10], [null, 0])).toBe('');
  });

  it('tells looks that were paid from the others', () => {
    const looks = { times: [10, 20], pulls: [0, 1] };
    expect(looksPath(area, looks, true)).toBe('M20 50v-9');
    expect(looksPath(area, looks, false)).toBe('M10 50v-4');
  });

  it('holds a value until the next time', () => {
    expect([5, 10, 15, 30, 99].map((at) => positionAt([10, 20, 30], at))).toEqual([-1, 0, 0, 2, 2]);
  });

  it('tells all values at a position, also those that are missing', () => {
    const data = {
      ...{ times: [1_772_366_400], unit: 'dollars' as const },
      lines: [line('main', [126.5]), { ...line('thin', [null]), name: 'two together' }],
      bars: { name: 'listings', values: [1_120] },
    };
    expect(readoutAt(data, 0, { now: 1_772_366_400_000, zone: 'America/New_York' })).toEqual({
      time: '07:00',
      values: [
        { name: 'x', text: '$126.50' },
        { name: 'two together', text: '–' },
        { name: 'listings', text: '1,120' },
      ],
    });
    expect(readoutAt(data, 1, { now: 0, zone: 'UTC' })).toBeUndefined();
  });

  it('has room for a level nearby, and not for one that would make the lines flat', () => {
    const lines = [line('main', [100, 120])];
    expect(rangeOf(lines, [90], false)[0]).toBeLessThan(90);
    expect(rangeOf(lines, [20], false)[0]).toBeGreaterThan(90);
    expect(rangeOf([], [], false)).toEqual([0, 1]);
  });

  it('shows pairs and the median beside get-in only, and what a person leaves on', () => {
    const of = (metric: string, unit: 'dollars' | 'count' = 'dollars') => ({
      ...{ metric, zone: null, unit, values: [1, 2] },
    });
    const metrics = metricsFor('get_in');
    const series = {
      ...{ event_id: 1, from: '', raw_from: null, cut_before: null, looks: null, times: [1, 2] },
      series: metrics.map((metric) => of(metric)),
    } as Parameters<typeof chartOf>[0];
    const shown = chartOf(series, 'get_in', new Set(['median']));
    expect(shown.lines.map(({ name }) => name)).toEqual(['get-in', 'two together']);
    expect(shown.bars?.name).toBe('listings');
    expect(metricsFor('total_listings_active')).toEqual(['total_listings_active']);
    expect(chartOf(series, 'total_listings_active').bars).toBeUndefined();
    expect(isBlank({ ...series, times: [1] })).toBe(true);
  });
});

describe('the axes', () => {
  it('have round values', () => {
    expect(valueTicks(97, 182, 5)).toEqual([100, 120, 140, 160, 180]);
    expect(valueTicks(0.2, 1.1, 4)).toEqual([0.5, 1]);
    expect(valueTicks(-20, 90, 4)).toEqual([0, 50]);
  });

  it('begin days at midnight where the owner is, also when the clocks change', () => {
    const from = Date.parse('2026-03-06T12:00:00Z');
    const ticks = timeTicks(from, from + 4 * 86_400_000, 5, 'America/New_York');
    expect(ticks.map(({ at, text }) => [new Date(at).toISOString(), text])).toEqual([
      ['2026-03-07T05:00:00.000Z', 'Mar 7'],
      ['2026-03-08T05:00:00.000Z', 'Mar 8'],
      ['2026-03-09T04:00:00.000Z', 'Mar 9'],
      ['2026-03-10T04:00:00.000Z', 'Mar 10'],
    ]);
    const hours = timeTicks(from, from + 86_400_000, 9, 'UTC').map(({ text }) => text);
    expect(hours).toEqual([
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      'Mar 7',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
  });

  it('have no more times than asked for, and all within the range', () => {
    const zones = fc.constantFrom(
      'UTC',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    );
    const from = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
    const length = fc.integer({ min: 3_600_000, max: 730 * 86_400_000 });
    fc.assert(
      fc.property(from, length, fc.integer({ min: 2, max: 12 }), zones, (begin, ms, most, zone) => {
        const ticks = timeTicks(begin, begin + ms, most, zone);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        expect(ticks.every(({ at }) => at >= begin && at <= begin + ms)).toBe(true);
      }),
    );
  });

  it('lead from a value or a time to its place', () => {
    expect([yOf(area, 125), xOf(area, 20_000), timeAt(area, 20)]).toEqual([25, 20, 20_000]);
  });
});

describe('a level', () => {
  it('moves by about half a percent, on round numbers', () => {
    expect([12, 120, 480, 2_000].map((price) => stepAt(price, 'dollars'))).toEqual([0.5, 1, 5, 10]);
    expect(stepAt(40, 'count')).toBe(1);
  });
});

describe('the end of a date', () => {
  it.each([
    ['2026-03-08', 'America/New_York', '2026-03-09T03:59:59.000Z'],
    ['2026-03-07', 'America/New_York', '2026-03-08T04:59:59.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-02T04:59:59.000Z'],
    ['2026-06-01', 'Asia/Kathmandu', '2026-06-01T18:14:59.000Z'],
  ])('%s in %s is %s', (date, zone, end) => {
    expect(new Date(endOfDate(date, zone)).toISOString()).toBe(end);
  });
});
