// Numbers, money, times and ages as people read them. English, US dollars, by Intl, whose tables take so
// long to load that each formatter is made when the first figure of its kind is asked for.
import type { Unit } from '#shared/rules/metric.ts';
import { remembered } from '../../alerts/remembered.ts';

/** Writes numbers in one form. The figures of one snapshot recur in all of its messages. */
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

/** A value in words of its unit: cents, a count, or basis points. */
export function valueText(unit: Unit, value: number): string {
  if (unit === 'price') return moneyText(value);
  return unit === 'count' ? counts(value) : shares(value / 10_000);
}

/** "18%", and below ten percent "4.5%"; of a share of one. */
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

/** Making a formatter costs a hundred times what using it does; there are few zones. */
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

/** "Nov 28, 12:01 PM UTC"; a moment (epoch ms) on the clocks of a zone. */
export function momentText(at: number, timeZone: string): string {
  return minuteText(Math.floor(at / minuteMs), timeZone);
}

/** No zone's clocks cut a minute, and Intl takes its time even with a formatter at hand. */
const minuteText = remembered((minute: number, timeZone: string) =>
  plainSpaces(momentFormatOf(timeZone).format(minute * minuteMs)),
);

/** Up to here a span is told by its length; a longer one by the day that it began on. */
const longestSpanMs = 12 * 3_600_000;
const dayMs = 86_400_000;

/** A day of a zone's calendar. */
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
    // As Swedes write it.
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
 * "in the last 2 hours", "since yesterday", "since Nov 12": from a moment until another (epoch ms), as
 * somebody says it who looks at the second moment's calendar in a zone.
 */
export function sinceText(at: number, now: number, timeZone: string): string {
  const day = dayOf(Math.floor(at / minuteMs), timeZone);
  const today = dayOf(Math.floor(now / minuteMs), timeZone);
  if (now - at < 1.5 * minuteMs) return 'in the last minute';
  if (now - at < longestSpanMs || day.key === today.key) return `in the last ${ageText(now - at)}`;
  // Of calendar days, since a day of the clock change has 23 hours or 25.
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
 * "Sun, Mar 1, 2026, 7:00 PM": an event's date and time as the marketplace gives them, on the clocks
 * of the venue. @returns undefined for what is no date.
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

/** Intl writes a narrow space before AM and PM that many screens show as a box. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ');
}
