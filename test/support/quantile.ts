// Quantiles of measured numbers.

/** The q-quantile, the nearest rank; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The upper one of the two in the middle where there are two; NaN of nothing. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
