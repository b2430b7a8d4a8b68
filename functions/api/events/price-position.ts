// Where a price stands among its own: against a day ago, over the week, within its 30 days. Pure.

import { partsKept } from '#shared/polling/recent-prices.ts';
import { type PriceDay, partsOf } from '#shared/rules/price-day.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import { type ChartNumber, hoursOf } from './chart-numbers.ts';

const hoursOfPart = 3;
const hoursOfDay = 24;
const hoursOf30Days = 30 * hoursOfDay;

/** In the metric's own unit. */
export interface PricePosition {
  /** The price of the hour 24 hours ago; null if it is not known, or there was none. */
  dayBefore: number | null;
  /** The last price of each three hours of the last week, oldest first; null where there was none. */
  week: (number | null)[];
  /** undefined if there was no price in the last 30 days. */
  month: MonthPosition | undefined;
}

interface MonthPosition {
  low: number;
  high: number;
  /** The percent of its hours in which the price was lower than now, and half of those in which it was equal. */
  lowerPercent: number | null;
  /** Its first hour with a price, epoch milliseconds. */
  from: number;
}

/** @param days oldest first, of the last 30 days and the day before. @param now epoch milliseconds. */
export function positionOf(
  days: readonly PriceDay[],
  number: ChartNumber,
  { current, now }: { current: number | null; now: number },
): PricePosition {
  const hours = hoursUntil(days, number, now);
  const month = hours.slice(-hoursOf30Days);
  const priced = month.filter(({ low }) => Number.isFinite(low));
  const [first] = priced;
  return {
    dayBefore: hours.at(-1 - hoursOfDay)?.last ?? null,
    week: lastOfParts(hours).slice(-partsKept),
    month: first && {
      low: Math.min(...priced.map(({ low }) => low)),
      high: Math.max(...priced.map(({ high }) => high)),
      lowerPercent: lowerPercent(month, current),
      from: first.startsAt,
    },
  };
}

/** One hour of a number; without a price `low` is Infinity and `high` -Infinity. */
interface Hour {
  startsAt: number;
  low: number;
  high: number;
  last: number | null;
}

/** Every hour from the first with a snapshot to now; one without a snapshot has the price before it. */
function hoursUntil(days: readonly PriceDay[], number: ChartNumber, now: number): Hour[] {
  const hours: Hour[] = [];
  for (const day of days) {
    const values = hoursOf(day, number);
    for (const [index, times] of day.times.entries()) {
      const startsAt = day.startsAt + index * HOUR_MS;
      if (!times || startsAt > now) continue;
      fillUntil(hours, startsAt);
      const parts = partsOf(values?.[index] ?? null);
      hours.push({
        startsAt,
        low: parts ? Math.min(parts.first, parts.second) : Number.POSITIVE_INFINITY,
        high: parts ? Math.max(parts.first, parts.second) : Number.NEGATIVE_INFINITY,
        last: parts?.last ?? null,
      });
    }
  }
  fillUntil(hours, now + 1);
  return hours;
}

/** Repeats the last price for the hours that begin before a time. */
function fillUntil(hours: Hour[], until: number): void {
  const before = hours.at(-1);
  if (!before) return;
  const { last } = before;
  const held = { low: last ?? Number.POSITIVE_INFINITY, high: last ?? Number.NEGATIVE_INFINITY };
  for (let startsAt = before.startsAt + HOUR_MS; startsAt < until; startsAt += HOUR_MS) {
    hours.push({ startsAt, ...held, last });
  }
}

function lastOfParts(hours: readonly Hour[]): (number | null)[] {
  return hours
    .filter(({ startsAt }, index) => {
      const isLastOfPart = (startsAt / HOUR_MS + 1) % hoursOfPart === 0;
      return isLastOfPart || index === hours.length - 1;
    })
    .map(({ last }) => last);
}

function lowerPercent(hours: readonly Hour[], current: number | null): number | null {
  if (current === null) return null;
  const known = hours.flatMap(({ last }) => (last === null ? [] : [last]));
  if (known.length === 0) return null;
  const lower = known.filter((price) => price < current).length;
  const equal = known.filter((price) => price === current).length;
  return Math.round(((lower + equal / 2) * 1_000) / known.length) / 10;
}
