// Decides when an alert may be sent: quiet hours and digests in the owner's time zone, whatever the time zone
// of the process. Plain values only.
import { Temporal } from 'temporal-polyfill';
import type { Digest, HearingTimes, QuietHours } from './owner.ts';

const MINUTE_MS = 60_000;

/** The earliest time to send, and why it is not now. */
export interface HearingTime {
  /** Epoch milliseconds. */
  at: number;
  reason: 'quiet_hours' | 'digest';
}

/**
 * The earliest time to send an alert that fires at `now` (epoch ms).
 * @returns undefined for now.
 */
export function hearingTimeOf(now: number, times: HearingTimes): HearingTime | undefined {
  const { timeZone, quietHours, digest } = times;
  const due = digestDueAt(now, digest, timeZone);
  const quietUntil = quietHours && quietEndsAt(due ?? now, quietHours, timeZone);
  if (due === undefined) {
    return quietUntil === undefined ? undefined : { at: quietUntil, reason: 'quiet_hours' };
  }
  return { at: quietUntil ?? due, reason: 'digest' };
}

/** Whether this runtime can compute quiet hours and print times in a time zone. */
export function canHearIn(timeZone: string): boolean {
  try {
    const times = { from: '22:00', to: '07:00' };
    quietEndsAt(0, times, timeZone);
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The end of the quiet hours that contain `at`; undefined outside of them. If a clock change skips the end,
 * the moment after the change; if the end comes twice, the first that is after `at`.
 */
export function quietEndsAt(
  at: number,
  { from, to }: QuietHours,
  timeZone: string,
): number | undefined {
  const local = localTime(at, timeZone);
  const time = local.hour * 60 + local.minute;
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isOverMidnight = end < start;
  const isQuiet = isOverMidnight ? time >= start || time < end : time >= start && time < end;
  if (!isQuiet) return undefined;
  const endsTomorrow = end === 1_440 || (isOverMidnight && time >= start);
  const day = local.toPlainDate().add({ days: endsTomorrow ? 1 : 0 });
  const [first, last] = showingsOf(day, to === '24:00' ? '00:00' : to, timeZone);
  return first > at ? first : last;
}

/**
 * The time of the next digest after `now`; undefined without a digest. A daily digest comes once in each
 * calendar day: at the first showing of its time, or after a clock change that skips its time.
 */
function digestDueAt(now: number, { mode, dailyAt }: Digest, timeZone: string): number | undefined {
  if (mode === 'off') return undefined;
  const local = localTime(now, timeZone);
  if (mode === 'hourly') {
    // Not by rounding: where clocks go back by half an hour, the hour before may end before now.
    const thisMinute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    return thisMinute + (60 - local.minute) * MINUTE_MS;
  }
  const [today] = showingsOf(local.toPlainDate(), dailyAt, timeZone);
  if (today > now) return today;
  return showingsOf(local.toPlainDate().add({ days: 1 }), dailyAt, timeZone)[0];
}

/**
 * When the clocks show a time on a day, first and last (epoch ms): different if they go back over it. If
 * they skip it, both are the moment after the change.
 */
function showingsOf(
  day: Temporal.PlainDate,
  time: string,
  timeZone: string,
): [first: number, last: number] {
  const wall = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const first = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const last = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  const isShown = first.toPlainDateTime().equals(wall);
  if (isShown) return [first.epochMilliseconds, last.epochMilliseconds];
  // A skipped time is read with both offsets, so the change lies between the two.
  const change = (first.getTimeZoneTransition('next') ?? last).epochMilliseconds;
  return [change, change];
}

function localTime(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
