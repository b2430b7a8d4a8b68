// The numbers of an event as a chart takes them.
import type { EventSeries } from '../../api/calls.ts';
import type { ChartData, ChartLine } from './chart-data.ts';

/** The numbers beside the main one, for get-in. */
const beside: readonly { metric: string; name: string; look: ChartLine['look'] }[] = [
  { metric: 'get_in_qty2plus', name: 'two together', look: 'thin' },
  { metric: 'median_price', name: 'median', look: 'dashed' },
];
const names: Readonly<Record<string, string>> = {
  ...{ get_in: 'get-in', get_in_qty2plus: 'two together', median_price: 'median' },
  ...{ avg_price: 'average', total_listings_active: 'listings', listing_fill_rate: 'sold' },
};
const listings = 'total_listings_active';

/** The metrics to ask for, for a chart of one of them. */
export function metricsFor(main: string): string[] {
  const more = main === 'get_in' ? beside.map(({ metric }) => metric) : [];
  return [...new Set([main, ...more, listings])];
}

/** @param hidden the names of lines that a person has switched off */
export function chartOf(
  { times, series }: EventSeries,
  main: string,
  hidden: ReadonlySet<string> = new Set(),
): ChartData {
  const find = (metric: string) => series.find((each) => each.metric === metric);
  const own = find(main);
  const others = main === 'get_in' ? beside : [];
  return {
    times,
    unit: own?.unit ?? 'dollars',
    lines: [
      { name: names[main] ?? main, look: 'main' as const, values: own?.values ?? [] },
      ...others
        .filter(({ name }) => !hidden.has(name))
        .map(({ metric, name, look }) => ({ name, look, values: find(metric)?.values ?? [] })),
    ],
    ...(main !== listings &&
      !hidden.has('listings') && {
        bars: { name: 'listings', values: find(listings)?.values ?? [] },
      }),
  };
}

/** Whether there is anything to draw. */
export function isBlank({ times }: EventSeries): boolean {
  return times.length < 2;
}
