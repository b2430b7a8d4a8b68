/**
 * The numbers of a stats snapshot that rules may speak of: their unit, where a snapshot keeps them
 * and what people call them. Holds no values.
 */

/** `price` is cents, `count` a whole number, `rate` basis points. */
export type Unit = 'price' | 'count' | 'rate';

export const metricNames = [
  'get_in',
  'get_in_qty2plus',
  'avg_price',
  'median_price',
  'total_listings_active',
  'listing_fill_rate',
] as const;
export type MetricName = (typeof metricNames)[number];

/** The metrics that a zone has too; counts and the fill rate exist for the whole event alone. */
export const zoneMetricNames = ['get_in', 'get_in_qty2plus', 'avg_price', 'median_price'] as const;
export type ZoneMetricName = (typeof zoneMetricNames)[number];

interface MetricFacts {
  unit: Unit;
  words: string;
}

export const METRICS: Record<MetricName, MetricFacts> = {
  get_in: { unit: 'price', words: 'Get-in' },
  get_in_qty2plus: { unit: 'price', words: 'Get-in for two or more together' },
  avg_price: { unit: 'price', words: 'Average price' },
  median_price: { unit: 'price', words: 'Median price' },
  total_listings_active: { unit: 'count', words: 'Active listings' },
  listing_fill_rate: { unit: 'rate', words: 'Fill rate' },
};

export function isMetricName(name: string): name is MetricName {
  return metricNames.some((known) => known === name);
}

export function isZoneMetricName(name: string): name is ZoneMetricName {
  return zoneMetricNames.some((known) => known === name);
}
