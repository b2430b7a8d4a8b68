// Times in epoch milliseconds: which numbers are one, and the days of UTC, as the marketplace bills them and as our own
// limits count them.

const dayMs = 86_400_000;

/** The latest time that a date can have, epoch milliseconds; the earliest is as far before 1970. */
export const latestMoment = 8_640_000_000_000_000;

/** Whether a stored value is a time in epoch milliseconds that a date can have. */
export function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= latestMoment;
}

/** UTC midnight at or before a time. */
export function dayStartOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** The UTC day of a time, as the window of a count. */
export function dayWindow(at: number): { startsAt: number; endsAt: number } {
  const startsAt = dayStartOf(at);
  return { startsAt, endsAt: startsAt + dayMs };
}
