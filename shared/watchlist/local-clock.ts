// The clocks of time zones.
import { Temporal } from 'temporal-polyfill';

const nanosecondsPerMinute = 60_000_000_000;

/** What a time zone's clocks add to UTC at a moment (epoch ms), in minutes; 0 for a zone that is not known. */
export function utcOffsetMinutes(timeZone: string | undefined, at: number): number {
  if (timeZone === undefined) return 0;
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    return Math.round(local.offsetNanoseconds / nanosecondsPerMinute);
  } catch {
    return 0;
  }
}

/** When the day of a moment (epoch ms) began by the clocks of a time zone; by UTC for a zone that is not known. */
export function dayStart(timeZone: string, at: number): number {
  const moment = Temporal.Instant.fromEpochMilliseconds(at);
  try {
    return moment.toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds;
  } catch {
    return moment.toZonedDateTimeISO('UTC').startOfDay().epochMilliseconds;
  }
}
