// Where values and times are on a chart, and at which of them its axes have a line or a text. Pure.
import { clockText, dayText } from '../../words/times.ts';
import { offsetAt } from '../../words/zone-times.ts';

/** The inside of a chart, in CSS pixels, and the values and times (epoch ms) at its edges. */
export interface ChartArea {
  left: number;
  top: number;
  width: number;
  height: number;
  low: number;
  high: number;
  from: number;
  to: number;
}

/** From the left edge of the inside. */
export function xOf({ width, from, to }: ChartArea, at: number): number {
  return ((at - from) / (to - from || 1)) * width;
}

/** From the top edge of the inside. */
export function yOf({ height, low, high }: ChartArea, value: number): number {
  return ((high - value) / (high - low || 1)) * height;
}

/** The time at a place, epoch milliseconds. */
export function timeAt({ width, from, to }: ChartArea, x: number): number {
  return from + (x / (width || 1)) * (to - from);
}

/** At most so many round values between two. */
export function valueTicks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  // Room below zero has none.
  const first = Math.max(0, Math.ceil(low / step));
  for (let n = first; n * step <= high; n += 1) ticks.push(n * step);
  return ticks;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const steps = [
  ...[hourMs / 4, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs],
  ...[1, 2, 3, 7, 14, 28, 91, 182].map((days) => days * dayMs),
];

export interface TimeTick {
  at: number;
  text: string;
}

/** At most so many round times of a zone's clocks between two, epoch milliseconds: days, or hours of short ranges. */
export function timeTicks(from: number, to: number, most: number, zone: string): TimeTick[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? 365 * dayMs;
  const ticks: TimeTick[] = [];
  // Steps are counted on the zone's clocks, so that days begin at midnight there.
  const first = Math.ceil((from + offsetAt(from, zone)) / step) * step;
  for (let told = first; ; told += step) {
    const at = told - offsetAt(told - offsetAt(told, zone), zone);
    if (at > to) return ticks;
    const time = clockText(at, zone);
    const isDay = step >= dayMs || time === '00:00';
    if (at >= from) ticks.push({ at, text: isDay ? dayText(at, zone) : time });
  }
}
