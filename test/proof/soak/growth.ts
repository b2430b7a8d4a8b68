/** Decides whether a measured figure grew over a run. Pure: numbers in, a verdict out. */

/** How much a figure may grow from the first third of a run to the last through noise alone. */
export interface Tolerance {
  /** As a factor of the first third's median. */
  factor: number;
  /** Additional allowance in the figure's own unit. */
  slack: number;
}

export interface Judgement {
  name: string;
  unit: string;
  /** Medians of the first and the last third after the warm-up. */
  first: number;
  last: number;
  /** The upper bound for the last third. */
  limit: number;
  isGrowing: boolean;
}

export interface Figure {
  name: string;
  unit: string;
  /** One value per row of the run, in time order, the warm-up included. */
  values: readonly number[];
  tolerance: Tolerance;
}

/**
 * Compares the median of the last third with that of the first. Medians, so that one row with a garbage
 * collection or a busy neighbour has no effect; thirds, so that steady growth shows over
 * two thirds of the run between their middles.
 *
 * A row without a number counts as growth, because the measured part has stopped.
 *
 * @param warmUpRows rows at the start that don't count
 * @throws RangeError unless three rows are left to judge
 */
export function judgeGrowth(
  { name, unit, values, tolerance }: Figure,
  warmUpRows: number,
): Judgement {
  const judged = values.slice(warmUpRows);
  if (judged.length < 3)
    throw new RangeError(`${name}: ${judged.length} rows are too few to judge`);
  const third = Math.floor(judged.length / 3);
  const first = median(judged.slice(0, third));
  const last = median(judged.slice(-third));
  const limit = first * tolerance.factor + tolerance.slack;
  return { name, unit, first, last, limit, isGrowing: !(last <= limit) };
}

/** The median; for an even number of values, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
