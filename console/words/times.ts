// Times as people read them: in the owner's zone, except a date at the venue. All take epoch milliseconds.

import { decimal } from './amounts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes a millisecond; a board needs thousands of texts. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

/** `14:06`. */
export function clockText(at: number, zone: string): string {
  return format(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** `Dec 2`. */
export function dayText(at: number, zone: string): string {
  return format(zone, { month: 'short', day: 'numeric' }).format(at);
}

/** `14:06` today, `Tue 14:06` within six days, otherwise `Dec 2, 14:06`. */
export function shortTime(at: number, now: number, zone: string): string {
  const time = clockText(at, zone);
  const day = dayName(at, now, zone);
  return day === '' ? time : `${day} ${time}`;
}

function dayName(at: number, now: number, zone: string): string {
  const date = format(zone, { dateStyle: 'short' });
  if (date.format(at) === date.format(now)) return '';
  if (Math.abs(at - now) < 6 * dayMs) return format(zone, { weekday: 'short' }).format(at);
  return `${dayText(at, zone)},`;
}

/** `Nov 24, 2026, 14:02:07 EST`: everything, for a title. */
export function wholeTime(at: number, zone: string): string {
  return format(zone, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hourCycle: 'h23' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  }).format(at);
}

/** `Wed, Dec 2` of a date at the venue, YYYY-MM-DD; with the year if it is another one. */
export function venueDate(date: string, now: number): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at)) return date;
  const isOtherYear = new Date(at).getUTCFullYear() !== new Date(now).getUTCFullYear();
  return format('UTC', {
    ...{ weekday: 'short', month: 'short', day: 'numeric' },
    ...(isOtherYear && { year: 'numeric' }),
  }).format(at);
}

/** `7:30 PM` of a time at the venue, HH:MM or HH:MM:SS. */
export function venueTime(time: string): string {
  const at = Date.parse(`1970-01-01T${time}Z`);
  if (Number.isNaN(at)) return time;
  return format('UTC', { hour: 'numeric', minute: '2-digit' }).format(at);
}

/** `12 s`, `4 min`, `3 h`, `2 d`. */
export function span(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}

/** The date of a time in a zone, YYYY-MM-DD. */
export function dateIn(at: number, zone: string): string {
  const parts = format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' });
  const by = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${by.year}-${by.month}-${by.day}`;
}

/** Days from today in a zone to a date, YYYY-MM-DD; negative for a past date. */
export function daysUntil(date: string, now: number, zone: string): number {
  const today = Date.parse(`${dateIn(now, zone)}T00:00:00Z`);
  return Math.round((Date.parse(`${date}T00:00:00Z`) - today) / dayMs);
}

/** `5 min`, `1 h` of a latency in seconds. */
export function latencyWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${decimal(seconds / 60)} min` : `${decimal(seconds / 3_600)} h`;
}

/** A time as the owner's clock says it, from ISO 8601. */
export type TellTime = (iso: string) => string;

/** Short times, as seen from a moment, in a zone. */
export function tellTimesAt(now: number, zone: string): TellTime {
  return (iso) => shortTime(Date.parse(iso), now, zone);
}
