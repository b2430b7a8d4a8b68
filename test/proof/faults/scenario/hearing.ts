// The quiet hours and digests of a run's owners, and the oracle's own computation of when
// an alert may be sent. The time zone has no summer time, so local time has a fixed offset in minutes.
import type { Dice } from '../dice.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;
export const timeZone = 'Asia/Kolkata';
const aheadMinutes = 330;

/** Minutes of the local day; absent settings are off. */
export interface Hearing {
  quiet?: { from: number; to: number };
  digest?: { mode: 'hourly' } | { mode: 'daily'; at: number };
}

/** Random times around the run's own time, so that a run begins in quiet hours and may leave them. */
export function rollHearing(dice: Dice, now: number): Hearing {
  const today = localMinute(now);
  const within = (low: number, high: number) => (today + dice.between(low, high)) % dayMinutes;
  const quiet = { from: (today + dayMinutes - 30) % dayMinutes, to: within(10, 240) };
  return dice.pick<() => Hearing>([
    () => ({ quiet }),
    () => ({ digest: { mode: 'hourly' } }),
    () => ({ digest: { mode: 'daily', at: within(5, 300) } }),
    () => ({ quiet, digest: { mode: 'hourly' } }),
  ])();
}

/** The body of `PATCH /v1/owner` for these settings. */
export function hearingDocument({ quiet, digest }: Hearing): Record<string, unknown> {
  return {
    time_zone: timeZone,
    ...(quiet && { quiet_hours: { from: clockTime(quiet.from), to: clockTime(quiet.to) } }),
    ...(digest && {
      digest: digest.mode === 'daily' ? { mode: 'daily', daily_at: clockTime(digest.at) } : digest,
    }),
  };
}

/** The earliest time to send an alert that fired at `at`, epoch milliseconds. */
export function hearableAt(at: number, { quiet, digest }: Hearing): number {
  const due = digest ? nextDigest(at, digest) : at;
  return quiet && isQuiet(localMinute(due), quiet) ? nextAt(due, quiet.to) : due;
}

function nextDigest(at: number, digest: NonNullable<Hearing['digest']>): number {
  if (digest.mode === 'daily') return nextAt(at, digest.at);
  const hourMs = 60 * minuteMs;
  const shiftMs = aheadMinutes * minuteMs;
  return (Math.floor((at + shiftMs) / hourMs) + 1) * hourMs - shiftMs;
}

function isQuiet(minute: number, { from, to }: { from: number; to: number }): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The next time after `at` with this minute of the local day. */
function nextAt(at: number, minute: number): number {
  const startOfMinute = Math.floor(at / minuteMs) * minuteMs;
  const aheadBy = (minute - localMinute(at) + dayMinutes) % dayMinutes || dayMinutes;
  return startOfMinute + aheadBy * minuteMs;
}

function localMinute(at: number): number {
  return (Math.floor(at / minuteMs) + aheadMinutes) % dayMinutes;
}

function clockTime(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
