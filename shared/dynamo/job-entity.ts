// How a job is stored in the Watchlist table, with its owner's list and the index of those that are not over.
import { Entity } from 'dynamodb-toolbox/entity';
import { number, string } from 'dynamodb-toolbox/schema';
import { fromKey, orElse } from './attribute-readings.ts';
import { jobSchema } from './schemas/job-schema.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The entity that the store's parts share. */
export function createJobEntity(table: WatchlistTable) {
  return new Entity({
    name: 'job',
    table,
    timestamps: false,
    schema: jobSchema.and({
      ownerKey: string(),
      ownerSort: string(),
      unfinishedShard: string().optional(),
      nextAttemptAt: number().optional(),
    }),
    computeKey: ({ jobId }) => ({ pk: `JOB#${jobId}`, sk: 'JOB' }),
  });
}

/** How a job's item is parsed. Without its state or its place in its rows a job can't go on. */
export function jobReading(jobs: JobEntity) {
  return leniently(jobs, {
    ...{ jobId: fromKey('JOB#'), options: orElse({}), counts: orElse({}), idleRuns: orElse(0) },
    ...{ createdAt: orElse(0), updatedAt: orElse(0), ownerSort: fromKey('JOB#') },
  });
}

export type JobEntity = ReturnType<typeof createJobEntity>;
