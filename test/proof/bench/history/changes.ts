// Daily price changes, and their distribution by days left and by weekday.

/** The price of one series on one day; dates are such as 2026-03-01. */
export interface PriceOfDay {
  /** Event and zone. */
  series: string;
  eventDate: string;
  day: string;
  price: number;
}

export interface Change {
  /** Whole days from the later day to the event. */
  daysLeft: number;
  /** The later day's weekday; Sunday is 0. */
  weekday: number;
  percent: number;
}

export interface Summary {
  daysLeft: string;
  changes: number;
  /** Without the lowest and the highest tenth; null if there are no changes. */
  trimmedMean: number | null;
  p10: number | null;
  p90: number | null;
  /** Percent of the changes that are drops of five percent or more. */
  dropsOf5: number | null;
}

const dayMs = 86_400_000;
/** Fewer changes than this are not shown. */
const fewest = 20;

/** Each step begins where the previous one ends, as in marketplace/simulator/prices.ts. */
const steps = [
  { name: 'the last', upTo: 1 },
  { name: '1 to 3', upTo: 3 },
  { name: '3 to 7', upTo: 7 },
  { name: '7 to 14', upTo: 14 },
  { name: '14 to 30', upTo: 30 },
  { name: '30 to 60', upTo: 60 },
  { name: '60 to 200', upTo: 200 },
];

/** Changes between consecutive days; days without an observation are left out. */
export function dailyChanges(prices: readonly PriceOfDay[]): Change[] {
  return [...Map.groupBy(prices, ({ series }) => series).values()].flatMap((ofSeries) => {
    const byDay = new Map(ofSeries.map((price) => [Date.parse(price.day), price]));
    return [...byDay].flatMap(([day, { price, eventDate }]) => {
      const before = byDay.get(day - dayMs)?.price;
      const daysLeft = (Date.parse(eventDate) - day) / dayMs;
      if (before === undefined || daysLeft < 0) return [];
      const weekday = new Date(day).getUTCDay();
      return [{ daysLeft, weekday, percent: 100 * (price / before - 1) }];
    });
  });
}

/** One line for each step of days left. */
export function summarize(changes: readonly Change[]): Summary[] {
  return steps.map(({ name, upTo }, index) => {
    const after = steps[index - 1]?.upTo ?? -1;
    const percents = changes
      .filter(({ daysLeft }) => daysLeft > after && daysLeft <= upTo)
      .map(({ percent }) => percent)
      .sort((a, b) => a - b);
    const count = percents.length;
    if (count < fewest) {
      const none = { trimmedMean: null, p10: null, p90: null, dropsOf5: null };
      return { daysLeft: name, changes: count, ...none };
    }
    const cut = Math.floor(count / 10);
    return {
      ...{ daysLeft: name, changes: count },
      trimmedMean: round(mean(percents.slice(cut, count - cut))),
      p10: round(percents[cut] ?? Number.NaN),
      p90: round(percents[count - 1 - cut] ?? Number.NaN),
      dropsOf5: round((100 * percents.filter((percent) => percent <= -5).length) / count),
    };
  });
}

/** The weekdays on which prices fall most and least, a week or more before the event. */
export function weekdayRange(changes: readonly Change[]) {
  const early = changes.filter(({ daysLeft }) => daysLeft >= 7);
  const means = [...Map.groupBy(early, ({ weekday }) => weekday)]
    .map(([weekday, of]) => ({ weekday, percent: round(middleMean(of)) }))
    .sort((a, b) => a.percent - b.percent);
  return { lowest: means[0] ?? null, highest: means.at(-1) ?? null };
}

function middleMean(changes: readonly Change[]): number {
  const percents = changes.map(({ percent }) => percent).sort((a, b) => a - b);
  const cut = Math.floor(percents.length / 10);
  return mean(percents.slice(cut, percents.length - cut));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
