// Weekly rates of alerts. A rate needs a week of prices: one alert in six minutes is not 1,680 a week.

/** A rate needs as much. */
export const weekMs = 7 * 86_400_000;

/** The market time of the first and the last snapshot, epoch milliseconds. */
export interface Covered {
  from: number;
  through: number;
}

/** Alerts a week with two decimals; null if less than a week is covered. */
export function perWeek(count: number, covered: Covered | null): number | null {
  if (!covered || covered.through - covered.from < weekMs) return null;
  return Math.round((count * weekMs * 100) / (covered.through - covered.from)) / 100;
}
