/** The latest time that a date can have, epoch milliseconds; the earliest is as far before 1970. */
export const latestMoment = 8_640_000_000_000_000;

/** Whether a stored value is a time in epoch milliseconds that a date can have. */
export function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= latestMoment;
}
