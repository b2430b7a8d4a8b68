// The steps in which a level moves. Pure.
import type { ChartUnit } from './chart-data.ts';

/** How far one press of an arrow goes: about half a percent, on round numbers. */
export function stepAt(value: number, unit: ChartUnit): number {
  if (unit !== 'dollars') return 1;
  if (value < 20) return 0.5;
  return value < 300 ? 1 : value < 1_000 ? 5 : 10;
}

/** The value on a multiple of the step, and above zero. @param around decides the step */
export function onStep(value: number, around: number, unit: ChartUnit): number {
  const step = stepAt(around, unit);
  return Math.max(step, Math.round(value / step) * step);
}
