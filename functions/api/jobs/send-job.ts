// Enqueues a job. The stored job says what to do, so a message may come twice.
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Job, JobMessage } from '#shared/watchlist/job.ts';

export type SendJob = (job: Pick<Job, 'jobId' | 'ownerId'>, delaySeconds?: number) => Promise<void>;

/** Sends single messages; each belongs to its owner's message group. */
export function createSendJob(sendJobs: SendMessages): SendJob {
  return ({ jobId, ownerId }, delaySeconds) => {
    const body: JobMessage = { jobId };
    return sendJobs([
      { body, group: ownerId, ...(delaySeconds !== undefined && { delaySeconds }) },
    ]);
  };
}
