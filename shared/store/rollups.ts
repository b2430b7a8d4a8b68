// Hourly rollups in the Snapshots table: per base series and hour, its summary, and apart from it the
// single values that window edges and medians need. Only series that a window looks back on have any.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Point, Standing, Summary } from '#shared/rules/history.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { SnapshotsTable } from './tables.ts';
import { keyText } from './trigger-item.ts';

/** Rollups are kept for two years (design: Tables). */
const keptForSeconds = 2 * 365 * 86_400;

/** A stretch of an event's series in whole hours: [from, to), epoch milliseconds. */
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
 * Which hours [from, to) of a series are rolled up, the summary of all hours before `to`, and where the
 * series stood then.
 */
export interface Coverage {
  from: number;
  to: number;
  record: Summary | null;
  standing: Standing;
}

/** Reads and writes of rollups. Writing an hour twice is harmless: both writes say the same. */
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

  return {
    async findCoverage(eventId: number, base: SeriesKey): Promise<Coverage | undefined> {
      const found = await coverages
        .build(GetItemCommand)
        .key({ eventId, base })
        .options({ consistent: true })
        .send();
      return found.Item?.coverage;
    },

    /** Written after the hours that it speaks of, so that a crash in between only rolls up again. */
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
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(hours)
        .query({ partition: partitionOf(range.eventId, range.base), range: between('hour', range) })
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
        .send();
      return Items;
    },

    async points(range: HourRange): Promise<Point[]> {
      if (range.from >= range.to) return [];
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(values)
        .query({
          partition: partitionOf(range.eventId, range.base),
          range: between('values', range),
        })
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
        .send();
      return Items.flatMap((row) => row.points.map(([at, value]) => ({ at, value })));
    },
  };
}

function partitionOf(eventId: number, base: SeriesKey): string {
  return `EVENT#${eventId}#rollup#${keyText(base)}`;
}

function sortOf(what: 'hour' | 'values', startsAt: number): string {
  return `${what}#${new Date(startsAt).toISOString()}`;
}

/** DynamoDB's range has both ends in it; hours begin a whole hour apart. */
function between(what: 'hour' | 'values', { from, to }: HourRange) {
  return { between: [sortOf(what, from), sortOf(what, to - 1)] as [string, string] };
}

export type RollupStore = ReturnType<typeof createRollupStore>;
