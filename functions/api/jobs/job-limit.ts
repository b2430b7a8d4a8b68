// How many jobs of an owner may wait or run at the same time: each stores up to some megabytes for a week.
import type { Stores } from '#shared/dynamo/stores.ts';
import { isOver } from '#shared/watchlist/job.ts';
import { problem } from '../problem.ts';

const mostUnfinished = 10;
/** An owner's newest jobs, among which the unfinished ones are. */
const newest = 50;

/** @throws ProblemError when the owner has too many. A request that is repeated finds its own job, which is no further one. */
export async function requireRoomForJob(
  { jobs }: Pick<Stores, 'jobs'>,
  ownerId: string,
  jobId: string,
): Promise<void> {
  const { rows } = await jobs.list(ownerId, { limit: newest });
  const others = rows.filter((job) => !isOver(job) && job.jobId !== jobId);
  if (others.length < mostUnfinished) return;
  const detail = `${others.length} of your jobs are not over, and at most ${mostUnfinished} may be; wait for one, or cancel one with POST /v1/jobs/{id}/cancel`;
  throw problem('rate-limited', detail, { headers: { 'retry-after': '30' } });
}
