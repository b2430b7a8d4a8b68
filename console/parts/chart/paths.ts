// The lines and bars of a chart as SVG paths. Pure.
import type { ChartLine, ChartLooks, ChartValues } from './chart-data.ts';
import { positionAt } from './chart-data.ts';
import { type ChartArea, timeAt, xOf, yOf } from './scale.ts';

const barStep = 9;
const barWidth = 6;
/** The share of the height that the highest bar takes. */
const barShare = 0.2;

const round = (pixels: number) => Number(pixels.toFixed(1));

/** Breaks where there is no value. A main line has steps: a value holds until the next time. */
export function linePath(
  area: ChartArea,
  times: readonly number[],
  { values, look }: ChartLine,
): string {
  let isDown = false;
  return times
    .map((at, position) => {
      const value = values[position] ?? null;
      const x = round(xOf(area, at * 1_000));
      const isStep = look === 'main' && isDown;
      const wasDown = isDown;
      isDown = value !== null;
      if (value === null) return isStep ? `H${x}` : '';
      const y = round(yOf(area, value));
      if (isStep) return `H${x}V${y}`;
      return `${wasDown ? 'L' : 'M'}${x} ${y}`;
    })
    .join('');
}

/** Bars of equal width, each as high as the last value within it, up to the newest time. */
export function barsPath(area: ChartArea, times: readonly number[], values: ChartValues): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const last = xOf(area, (times.at(-1) ?? 0) * 1_000);
  const bars: string[] = [];
  for (let x = 0; x + barWidth <= area.width && x <= last; x += barStep) {
    const value = values[positionAt(times, timeAt(area, x + barWidth) / 1_000)] ?? 0;
    const height = round(most === 0 ? 0 : (value / most) * barShare * area.height);
    if (height > 0) bars.push(`M${x} ${area.height}v${-height}h${barWidth}v${height}z`);
  }
  return bars.join('');
}

/** Ticks at the bottom, at the looks that were paid or at the others. */
export function looksPath(area: ChartArea, { times, pulls }: ChartLooks, isPaid: boolean): string {
  return times
    .flatMap((at, position) => {
      const x = round(xOf(area, at * 1_000));
      const isWanted = (pulls[position] ?? 0) > 0 === isPaid && x >= 0;
      return isWanted ? `M${x} ${area.height}v${isPaid ? -9 : -4}` : [];
    })
    .join('');
}
