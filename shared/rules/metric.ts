/**
 * The metrics of a stats snapshot that rules can use: unit and name in words. Holds no values.
 */

/** `price` is cents, `count` a whole number, `rate` basis points. */
export type Unit = 'price' | 'count' | 'rate';

/** The units of numbers outside of the rules, in answers and payloads. */
export const toldUnits = { price: 'dollars', count: 'count', rate: 'percent' } as const;

/** A number as it is told: dollars, a count, or percent. */
export function inToldUnit(unit: Unit, value: number): number {
  return unit === 'count' ? value : value / 100;
}

/** The price metrics; the event and each zone have them. */
export const priceMetricNames = ['get_in', 'get_in_qty2plus', 'avg_price', 'median_price'] as const;
export type PriceMetricName = (typeof priceMetricNames)[number];

/** The supply metrics of the event; zones have none (api.md, Stats snapshot). */
export const supplyMetricNames = ['total_listings_active', 'listing_fill_rate'] as const;

export const metricNames = [...priceMetricNames, ...supplyMetricNames] as const;
export type MetricName = (typeof metricNames)[number];

interface MetricFacts {
  unit: Unit;
  words: string;
}

export const METRICS: Record<MetricName, MetricFacts> = {
  get_in: { unit: 'price', words: 'get-in' },
  get_in_qty2plus: { unit: 'price', words: 'get-in for two or more together' },
  avg_price: { unit: 'price', words: 'average price' },
  median_price: { unit: 'price', words: 'median price' },
  total_listings_active: { unit: 'count', words: 'active listings' },
  listing_fill_rate: { unit: 'rate', words: 'fill rate' },
};

export function isMetricName(name: string): name is MetricName {
  return metricNames.some((known) => known === name);
}

export function isPriceMetricName(name: string): name is PriceMetricName {
  return priceMetricNames.some((known) => known === name);
}
