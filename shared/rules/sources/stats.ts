// The series of stats snapshots: metrics of the event and its zones, and whether a zone has a get-in.
import { feedKindRows } from '#shared/polling/feed-kinds.ts';
import { isMetricName, isPriceMetricName, METRICS, type MetricName } from '../metric.ts';
import type { MarketSnapshot } from '../snapshot.ts';
import type { ParsedBase, SnapshotSource } from './snapshot-source.ts';

export type StatsSeries =
  | { kind: 'metric'; metric: MetricName; zone: string | null }
  /** 1 while a zone has a get-in, 0 while it has none. */
  | { kind: 'presence'; zone: string };

const prefix = feedKindRows.stats.seriesPrefix;

export const stats: SnapshotSource<MarketSnapshot, StatsSeries> = {
  feedKind: 'stats',

  keyOf(base) {
    if (base.kind === 'presence') return `${prefix}present/zone=${encodeURIComponent(base.zone)}`;
    return base.zone === null
      ? `${prefix}${base.metric}`
      : `${prefix}${base.metric}/zone=${encodeURIComponent(base.zone)}`;
  },

  parse([, name = '', scope]) {
    const zone = scope?.startsWith('zone=') ? decodeURIComponent(scope.slice(5)) : null;
    return { series: seriesNamed(name, zone), length: zone === null ? 2 : 3 };
  },

  unitOf: (base) => (base.kind === 'metric' ? METRICS[base.metric].unit : 'count'),

  wordsOf: (base) => (base.kind === 'metric' ? METRICS[base.metric].words : 'price'),

  valuesOf: ({ metrics, zones }) => [
    ...metricsOf(metrics, null),
    ...Object.entries(zones).flatMap(([zone, own]) => metricsOf(own, zone)),
  ],

  valueOf(base, snapshot) {
    if (base.kind === 'presence') return presenceOf(base.zone, snapshot);
    if (base.zone === null) return snapshot.metrics[base.metric];
    return isPriceMetricName(base.metric)
      ? (zoneMetrics(snapshot, base.zone)?.[base.metric] ?? null)
      : null;
  },

  currentOf: (base) => base,
  listingsOf: () => [],
  isLive: ({ metrics }) => (metrics.total_listings_active ?? 0) > 0,
};

function seriesNamed(name: string, zone: string | null): ParsedBase<StatsSeries>['series'] {
  if (name === 'present' && zone !== null) return { kind: 'presence', zone };
  if (!isMetricName(name)) return undefined;
  if (zone !== null && !isPriceMetricName(name)) return undefined;
  return { kind: 'metric', metric: name, zone };
}

/** A damaged snapshot may have other names among its metrics; those are left out. */
function metricsOf(
  metrics: Partial<MarketSnapshot['metrics']>,
  zone: string | null,
): [StatsSeries, number | null][] {
  const entries = Object.entries(metrics) as [string, number | null][];
  return entries.flatMap(([metric, value]) =>
    isMetricName(metric) ? [[{ kind: 'metric', metric, zone }, value]] : [],
  );
}

/** A zone that is missing beside other zones has nothing for sale; without any zones it is unknown. */
function presenceOf(zone: string, snapshot: MarketSnapshot): number | null {
  if (snapshot.metrics.total_listings_active === 0) return 0;
  if (Object.keys(snapshot.zones).length === 0) return null;
  return (zoneMetrics(snapshot, zone)?.get_in ?? null) === null ? 0 : 1;
}

function zoneMetrics(snapshot: MarketSnapshot, zone: string) {
  return Object.hasOwn(snapshot.zones, zone) ? snapshot.zones[zone] : undefined;
}
