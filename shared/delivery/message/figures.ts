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

/** "18%", or "4.5%" below ten percent; takes a fraction of one. */
export function shareText(share: number): string {
  return (share < 0.1 ? shares : wholeShares)(share);
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

/** A span up to this long is given by its length; a longer span by the day on which it began. */
const longestSpanMs = 12 * 3_600_000;
const dayMs = 86_400_000;

/** A calendar day in a time zone. */
interface Day {
  /** "2026-11-28". */
  key: string;
  /** "Nov 28". */
  short: string;
  /** "Nov 28, 2026". */
  withYear: string;
}

const dayFormatsOf = remembered((timeZone: string) => {
  const day = { timeZone, month: 'short', day: 'numeric' } as const;
  return {
    // The Swedish format is YYYY-MM-DD.
    key: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }),
    short: new Intl.DateTimeFormat('en-US', day),
    withYear: new Intl.DateTimeFormat('en-US', { ...day, year: 'numeric' }),
  };
});

const dayOf = remembered((minute: number, timeZone: string): Day => {
  const { key, short, withYear } = dayFormatsOf(timeZone);
  const at = minute * minuteMs;
  return { key: key.format(at), short: short.format(at), withYear: withYear.format(at) };
});

/**
 * "in the last 2 hours", "since yesterday", "since Nov 12": the span from `at` to `now` (epoch ms), by the
 * calendar of a time zone.
 */
export function sinceText(at: number, now: number, timeZone: string): string {
  const day = dayOf(Math.floor(at / minuteMs), timeZone);
  const today = dayOf(Math.floor(now / minuteMs), timeZone);
  if (now - at < 1.5 * minuteMs) return 'in the last minute';
  if (now - at < longestSpanMs || day.key === today.key) return `in the last ${ageText(now - at)}`;
  // Compare calendar days, because a day with a clock change has 23 or 25 hours.
  if (Date.parse(today.key) - Date.parse(day.key) === dayMs) return 'since yesterday';
  const isThisYear = day.key.slice(0, 4) === today.key.slice(0, 4);
  return `since ${isThisYear ? day.short : day.withYear}`;
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
