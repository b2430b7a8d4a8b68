// How a day of prices is stored: compressed JSON in columns, some 10 KB for 20 zones.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { reportFault } from '#shared/fault-report.ts';
import { metricNames, priceMetricNames } from '#shared/rules/metric.ts';
import { emptyDay, type HourValue, type PriceDay } from '#shared/rules/price-day.ts';

/** DynamoDB's limit is 400 KB per item. */
const mostBytes = 350_000;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Times are milliseconds since midnight. */
interface StoredDay {
  times: ([number, number] | null)[];
  metrics: Record<string, HourValue[]>;
  zones: [name: string, hours: Record<string, HourValue[]>][];
}

/** The day in its stored form. Zones for which an item has no room are left out and reported. */
export async function packDay(eventId: number, day: PriceDay): Promise<Buffer> {
  const { startsAt, metrics } = day;
  const times = day.times.map((pair): [number, number] | null =>
    pair === null ? null : [pair[0] - startsAt, pair[1] - startsAt],
  );
  let zones = [...day.zones].map(([name, hours]): [string, typeof hours] => [
    name.toWellFormed(),
    hours,
  ]);
  for (;;) {
    const packed = await pack(JSON.stringify({ times, metrics, zones }));
    if (packed.byteLength <= mostBytes || zones.length === 0) return packed;
    const kept = zones.slice(0, Math.floor(zones.length * 0.7));
    const reason = `${zones.length - kept.length} zones left out: the prices of one day have no room for them`;
    reportFault({
      thing: 'market_row',
      reason,
      ids: { eventId, day: new Date(startsAt).toISOString() },
    });
    zones = kept;
  }
}

/** The original day. @throws for bytes that are no stored day. */
export async function unpackDay(packed: Uint8Array, startsAt: number): Promise<PriceDay> {
  const stored = JSON.parse((await unpack(packed)).toString('utf8')) as StoredDay;
  const none = emptyDay(startsAt);
  const columns = <Name extends string>(
    names: readonly Name[],
    from: Record<string, HourValue[]>,
  ): Record<Name, HourValue[]> => {
    const hours = (name: Name) => none.times.map((_, hour) => readable(from[name]?.[hour]));
    return Object.fromEntries(names.map((name) => [name, hours(name)])) as never;
  };
  return {
    startsAt,
    times: none.times.map((_, hour) => {
      const pair = stored.times[hour];
      return pair ? [pair[0] + startsAt, pair[1] + startsAt] : null;
    }),
    metrics: columns(metricNames, stored.metrics),
    zones: new Map(stored.zones.map(([name, hours]) => [name, columns(priceMetricNames, hours)])),
  };
}

/** A metric that a release did not know yet has no value. */
function readable(value: HourValue | undefined): HourValue {
  return value ?? null;
}
