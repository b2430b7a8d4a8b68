// Formats numbers, money, times and ages for people: English, US dollars, by Intl. Intl's tables load slowly,
// so each formatter is made when it is first used.
import type { Unit } from '#shared/rules/metric.ts';
import { remembered } from '../../alerts/remembered.ts';

/** Formats numbers in one form, with a cache, because messages of one snapshot repeat its numbers. */
function numberText(form: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return remembered((value: number) => {
    format ??= new Intl.NumberFormat('en-US', form);
    return format.format(value);
  });
}

const money = numberText({
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const counts = numberText({});
const shares = numberText({ style: 'percent', maximumFractionDigits: 1 });
const wholeShares = numberText({ style: 'percent', maximumFractionDigits: 0 });
const ages = {
  second: numberText({ style: 'unit', unit: 'second', unitDisplay: 'short' }),
  minute: numberText({ style: 'unit', unit: 'minute', unitDisplay: 'short' }),
  hour: numberText({ style: 'unit', unit: 'hour', unitDisplay: 'long' }),
  day: numberText({ style: 'unit', unit: 'day', unitDisplay: 'long' }),
};

/** "$1,234.50", "$80"; from integer cents. */
export function moneyText(cents: number): string {
  return money(cents / 100);
}

/** Formats a value by its unit: cents, a count, or basis points. */
export function valueText(unit: Unit, value: number): string {
  if (unit === 'price') return moneyText(value);
  return unit === 'count' ? counts(value) : shares(value / 10_000);
}

/** "1.5 points": the difference of two percentages, from basis points. */
export function pointsText(bps: number): string {
  return `${counts(bps / 100)} ${bps === 100 ? 'point' : 'points'}`;
}

/**
 * "18%", or "4.5%" below ten percent; takes a fraction of one. What is not nothing or everything is not rounded
 * to it: "under 0.1%", "over 99%".
 */
export function shareText(share: number): string {
  if (share > 0 && share < 0.0005) return 'under 0.1%';
  if (share > 0.995 && share < 1) return 'over 99%';
  return (share < 0.1 ? shares : wholeShares)(share);
}

/** "18.5%", "35%": exactly, from basis points. */
export function percentText(bps: number): string {
  return `${counts(bps / 100)}%`;
}

/** "45 sec", "12 min", "7 hours", "3 days". */
export function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 90) return ages.second(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 90 && minutes !== 60) return ages.minute(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? ages.hour(hours) : ages.day(Math.round(hours / 24));
}

const minuteMs = 60_000;

/** "3 days 12 hours", "5 hours 20 min", "40 min": exact to the smaller unit. */
export function spanText(spanMs: number): string {
  const minutes = Math.max(0, Math.round(spanMs / minuteMs));
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return ages.minute(minutes);
  if (hours < 24) return parts(ages.hour(hours), minutes % 60, ages.minute);
  return parts(ages.day(Math.floor(hours / 24)), hours % 24, ages.hour);
}

function parts(whole: string, rest: number, restText: (rest: number) => string): string {
  return rest === 0 ? whole : `${whole} ${restText(rest)}`;
}

/** "50 min", "26 hours", "5 days": a span that is covered, so it is rounded down. */
export function coveredText(coveredMs: number): string {
  const minutes = Math.floor(coveredMs / minuteMs);
  if (minutes < 120) return ages.minute(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? ages.hour(hours) : ages.day(Math.floor(hours / 24));
}

/** Making a formatter takes a hundred times as long as using it, so keep one for each time zone. */
const momentFormatOf = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
);

/** "Nov 28, 12:01 PM UTC"; a moment (epoch ms) in a time zone. */
export function momentText(at: number, timeZone: string): string {
  return minuteText(Math.floor(at / minuteMs), timeZone);
}

/** Time-zone offsets are whole minutes, so cache by minute; Intl is slow even with a ready formatter. */
const minuteText = remembered((minute: number, timeZone: string) =>
  plainSpaces(momentFormatOf(timeZone).format(minute * minuteMs)),
);

/** "12:01 PM UTC" on the day of another moment, "Nov 28, 12:01 PM UTC" in its year, else with the year. */
interface MomentFormats {
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  withYear: Intl.DateTimeFormat;
}

const momentFormatsOf = remembered((timeZone: string): MomentFormats => {
  const time = { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const day = { month: 'short', day: 'numeric', year: 'numeric' } as const;
  return {
    // The Swedish format is YYYY-MM-DD.
    day: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }),
    time: new Intl.DateTimeFormat('en-US', time),
    withYear: new Intl.DateTimeFormat('en-US', { ...time, ...day }),
  };
});

const dayText = remembered((minute: number, timeZone: string) =>
  momentFormatsOf(timeZone).day.format(minute * minuteMs),
);

/**
 * "since 2:00 PM EST", "since Feb 28, 2:00 PM EST": the moment `at` as seen from the moment `from` (epoch
 * ms), by the calendar of a time zone. A moment does not age as "2 hours ago" does.
 */
export function sinceText(at: number, from: number, timeZone: string): string {
  const [minute, fromMinute] = [Math.floor(at / minuteMs), Math.floor(from / minuteMs)];
  const [day, today] = [dayText(minute, timeZone), dayText(fromMinute, timeZone)];
  const { time, withYear } = momentFormatsOf(timeZone);
  if (day === today) return `since ${plainSpaces(time.format(minute * minuteMs))}`;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const moment = isThisYear
    ? minuteText(minute, timeZone)
    : plainSpaces(withYear.format(minute * minuteMs));
  return `since ${moment}`;
}

const dateParts = {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
} as const;
let dates: Intl.DateTimeFormat | undefined;
let timedDates: Intl.DateTimeFormat | undefined;

/**
 * "Sun, Mar 1, 2026, 7:00 PM": an event's date and time as the marketplace gives them, in the venue's time
 * zone. @returns undefined for text that is not a date.
 */
export const eventDateText = remembered((date: string | undefined, time?: string) => {
  const isTimed = /^\d{2}:\d{2}/.test(time ?? '');
  const at = Date.parse(`${date}T${isTimed ? time?.slice(0, 5) : '00:00'}:00Z`);
  if (date === undefined || Number.isNaN(at)) return undefined;
  dates ??= new Intl.DateTimeFormat('en-US', dateParts);
  timedDates ??= new Intl.DateTimeFormat('en-US', {
    ...dateParts,
    hour: 'numeric',
    minute: '2-digit',
  });
  return plainSpaces((isTimed ? timedDates : dates).format(at));
});

/** Replaces Intl's narrow space before AM and PM, which many screens show as a box. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ');
}
