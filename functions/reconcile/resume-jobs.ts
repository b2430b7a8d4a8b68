// Enqueues jobs that stand still: their message was lost, or their worker died and its lease has expired.
import type { JobStore } from '#shared/dynamo/jobs.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { JobMessage } from '#shared/watchlist/job.ts';
import { alone } from './each-alone.ts';

/** Maximum number of jobs from one shard per run; the next run takes the rest. */
const jobsPerShard = 100;

/** The use case; `now` is epoch milliseconds. @returns how many jobs were enqueued. */
export function createResumeJobs(jobs: Pick<JobStore, 'standing'>, sendJobs: SendMessages) {
  return async function resumeJobs(now: number): Promise<number> {
    let resumed = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const { jobId, ownerId } of await jobs.standing(shard, now, jobsPerShard)) {
        await alone({ step: 'jobs', ids: { jobId } }, async () => {
          const body: JobMessage = { jobId };
          await sendJobs([{ body, group: ownerId }]);
          resumed += 1;
        });
      }
    }
    return resumed;
  };
}
