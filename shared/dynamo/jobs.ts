// Jobs in the Watchlist table, their owner's list, and the index of those that are not over. A worker carries a job
// out under a lease, and saves each lot with one conditional write.
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { timing } from '#shared/timing.ts';
import type { Job } from '#shared/watchlist/job.ts';
import { writeIf } from './conditional-write.ts';
import { createJobEntity, jobReading } from './job-entity.ts';
import { createJobLeases } from './job-leases.ts';
import { createJobRows } from './job-rows.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { shardKey, shardOf } from './shard.ts';
import { orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';

/** The name of jobs in the index of unfinished work. */
const unfinished = 'job';

/** Reads and writes of jobs. */
export function createJobStore(table: WatchlistTable) {
  const jobs = createJobEntity(table);
  const reading = jobReading(jobs);

  return {
    ...createJobRows(table),
    ...createJobLeases(jobs),

    /** @returns undefined also for a job that can't be parsed. */
    find(jobId: string): Promise<Job | undefined> {
      const action = jobs.build(GetItemCommand).key({ jobId }).options({ consistent: true });
      return orMissing(readOne(action, reading));
    },

    /** Stores a job after the rows of its input. @returns false when it exists: the request was carried out before. */
    create(job: Job): Promise<boolean> {
      return writeIf(() =>
        jobs
          .build(PutItemCommand)
          .item({
            ...job,
            ...{ ownerKey: `${job.ownerId}#job`, ownerSort: job.jobId },
            unfinishedShard: shardKey(unfinished, shardOf(job.jobId)),
            nextAttemptAt: job.createdAt + timing.jobLeaseMs,
          } as never)
          .options({ condition: { attr: 'jobId', exists: false } })
          .send(),
      );
    },

    /** An owner's jobs, the newest first. */
    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, jobs, `${ownerId}#job`, page, reading),

    /** Unfinished jobs of one shard that no worker has looked at by a time (epoch ms). */
    standing(shard: number, before: number, limit: number): Promise<Job[]> {
      const part = { name: unfinished, shard, before, limit };
      return readUnfinished({ table, entity: jobs }, part, reading);
    },
  };
}

export type JobStore = ReturnType<typeof createJobStore>;
