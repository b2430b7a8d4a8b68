// How often a feed was looked at on a day, and what that cost. It is kept on the feed, which a poll writes anyway.
import { dayStartOf } from '#shared/moment.ts';

/** The successful polls of a feed on a UTC day, and the pulls that they cost. */
export interface DayCount {
  /** Midnight UTC, epoch milliseconds. */
  startsAt: number;
  looks: number;
  pulls: number;
}

/** The counts after one more successful poll. */
export function countLook(
  before: DayCount | undefined,
  { at, pulls }: { at: number; pulls: number },
): DayCount {
  const { startsAt, looks, pulls: spent } = countOfDay(before, at);
  return { startsAt, looks: looks + 1, pulls: spent + pulls };
}

/** The counts of the day of a time (epoch ms); they begin at 0 each day. */
export function countOfDay(counted: DayCount | undefined, at: number): DayCount {
  const startsAt = dayStartOf(at);
  return counted && counted.startsAt >= startsAt ? counted : { startsAt, looks: 0, pulls: 0 };
}
