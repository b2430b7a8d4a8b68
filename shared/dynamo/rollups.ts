// Hourly rollups in the Snapshots table: a summary per base series and hour, and separately the
// single values for window edges and medians. Only series with a window have rollups.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { LastKnown, Point, Summary } from '#shared/rules/history.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import { needed, orElse, type RawItem } from './attribute-readings.ts';
import { isLastKnown, isPointOrNull } from './evaluation-entity.ts';
import { orMissing, readAll, readOne } from './stored-items.ts';
import type { SnapshotsTable } from './tables.ts';
import { keyText } from './trigger-item.ts';

/** Rollups are kept for two years (design: Tables). */
const keptForSeconds = 2 * 365 * 86_400;

/** A time range of an event's series in whole hours: [from, to), epoch milliseconds. */
export interface HourRange {
  eventId: number;
  base: SeriesKey;
  from: number;
  to: number;
}

export interface RolledHour {
  startsAt: number;
  summary: Summary;
  points: Point[];
}

/**
 * Which hours [from, to) of a series are rolled up, the summary of all hours before `to`, and the
 * last values of the series then.
 */
export interface Coverage {
  from: number;
  to: number;
  record: Summary | null;
  standing: LastKnown;
}

/** Reads and writes of rollups. Writing an hour twice is harmless: both writes have the same values. */
export function createRollupStore(table: SnapshotsTable) {
  const expiring = { expiresAtEpochSeconds: number() };
  const seriesHour = { eventId: number().key(), base: string().key(), startsAt: number().key() };
  const hours = new Entity({
    name: 'rollupHour',
    table,
    timestamps: false,
    schema: item({ ...seriesHour, summary: any().castAs<Summary>(), ...expiring }),
    computeKey: ({ eventId, base, startsAt }) => ({
      pk: partitionOf(eventId, base),
      sk: sortOf('hour', startsAt),
    }),
  });
  const values = new Entity({
    name: 'rollupValues',
    table,
    timestamps: false,
    schema: item({
      ...seriesHour,
      points: any().castAs<[at: number, value: number][]>(),
      ...expiring,
    }),
    computeKey: ({ eventId, base, startsAt }) => ({
      pk: partitionOf(eventId, base),
      sk: sortOf('values', startsAt),
    }),
  });
  const coverages = new Entity({
    name: 'rollupCoverage',
    table,
    timestamps: false,
    schema: item({
      eventId: number().key(),
      base: string().key(),
      coverage: any().castAs<Coverage>(),
    }),
    computeKey: ({ eventId, base }) => ({ pk: partitionOf(eventId, base), sk: 'coverage' }),
  });

  // A damaged hour reads as an hour without a price; damaged coverage reads as none, so all is rolled up again.
  const unread = { eventId: orElse(0), base: orElse(''), expiresAtEpochSeconds: orElse(0) };
  const startsAt = { otherwise: ({ sk }: RawItem) => Date.parse(String(sk).replace(/^\w+#/, '')) };
  const hourReading = { attributes: { ...unread, startsAt, summary: needed(isSummary) } };
  const valuesReading = { attributes: { ...unread, startsAt, points: needed(arePoints) } };
  const coverageReading = { attributes: { ...unread, coverage: needed(isCoverage) } };

  return {
    async findCoverage(eventId: number, base: SeriesKey): Promise<Coverage | undefined> {
      const action = coverages
        .build(GetItemCommand)
        .key({ eventId, base })
        .options({ consistent: true });
      return (await orMissing(readOne(action, coverageReading)))?.coverage;
    },

    /** Written after the hours that it covers, so that a crash in between only causes another rollup. */
    async putCoverage(eventId: number, base: SeriesKey, coverage: Coverage): Promise<void> {
      await coverages.build(PutItemCommand).item({ eventId, base, coverage }).send();
    },

    async putHour(eventId: number, base: SeriesKey, hour: RolledHour, now: number): Promise<void> {
      const { startsAt, summary } = hour;
      const key = { eventId, base, startsAt };
      const points = hour.points.map(({ at, value }): [number, number] => [at, value]);
      const expiresAtEpochSeconds = Math.floor(now / 1_000) + keptForSeconds;
      await values
        .build(PutItemCommand)
        .item({ ...key, points, expiresAtEpochSeconds })
        .send();
      await hours
        .build(PutItemCommand)
        .item({ ...key, summary, expiresAtEpochSeconds })
        .send();
    },

    async summaries(range: HourRange): Promise<Pick<RolledHour, 'startsAt' | 'summary'>[]> {
      if (range.from >= range.to) return [];
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(range.eventId, range.base), range: between('hour', range) })
        .options({ consistent: true });
      return readAll(query, hours, hourReading);
    },

    async points(range: HourRange): Promise<Point[]> {
      if (range.from >= range.to) return [];
      const query = table
        .build(QueryCommand)
        .query({
          partition: partitionOf(range.eventId, range.base),
          range: between('values', range),
        })
        .options({ consistent: true });
      const rows = await readAll(query, values, valuesReading);
      return rows.flatMap((row) => row.points.map(([at, value]) => ({ at, value })));
    },
  };
}

function isSummary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { first, last, low, high } = value as Record<string, unknown>;
  const arePresent = first !== null && last !== null && isPointOrNull(first) && isPointOrNull(last);
  return arePresent && Number.isFinite(low) && Number.isFinite(high);
}

function arePoints(value: unknown): boolean {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every(Number.isFinite);
  return Array.isArray(value) && value.every(isPair);
}

function isCoverage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { from, to, record, standing } = value as Record<string, unknown>;
  const areTimes = [from, to].every(Number.isFinite);
  return areTimes && (record === null || isSummary(record)) && isLastKnown(standing);
}

function partitionOf(eventId: number, base: SeriesKey): string {
  return `EVENT#${eventId}#rollup#${keyText(base)}`;
}

function sortOf(what: 'hour' | 'values', startsAt: number): string {
  return `${what}#${new Date(startsAt).toISOString()}`;
}

/** DynamoDB's BETWEEN includes both ends; hours begin a whole hour apart. */
function between(what: 'hour' | 'values', { from, to }: HourRange) {
  return { between: [sortOf(what, from), sortOf(what, to - 1)] as [string, string] };
}

export type RollupStore = ReturnType<typeof createRollupStore>;
