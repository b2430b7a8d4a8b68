// Quantiles of measured numbers.

/** The q-quantile by nearest rank; NaN for an empty list. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The median, the upper one of two middle values; NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
