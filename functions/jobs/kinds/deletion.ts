// The deletion of an owner: everything once, then again after all that was under way has ended, then the owner itself.
import { reportFault } from '#shared/fault-report.ts';
import type { Job, JobProgress } from '#shared/watchlist/job.ts';
import {
  createDeletionSteps,
  type DeletionPlace,
  type StepName,
} from '../deletion/deletion-steps.ts';
import type { JobDeps, OpenJob } from '../job-kind.ts';

/** Evaluate, poll, the senders and other jobs run for a minute at most; their leases are longer. */
const settleMs = 300_000;
/** Wait before all is gone through again because an index still showed something. */
const againSeconds = 60;
const mostRounds = 5;
/** Wait while something can’t be deleted, which the operator is told. */
const stuckSeconds = 900;

const contents: readonly StepName[] = [
  ...([
    'watches',
    'deletedWatches',
    'alerts',
    'deliveries',
    'channels',
    'notices',
    'costs',
    'ownItems',
  ] as const),
];

/** Keys and jobs stay until nothing uses them any longer; the keys say what happens. */
const plan: readonly (StepName | 'wait' | 'check')[] = [
  'cancelJobs',
  ...contents,
  'wait',
  'jobs',
  ...contents,
  'keys',
  'check',
  'owner',
];

/** The job's cursor is a `DeletionPlace`; at first it has the owner only. */
export function openDeletion(deps: JobDeps): OpenJob {
  const deletion = createDeletionSteps(deps);

  return function open() {
    return async function carryOutLot(job, now) {
      const place = placeOf(job);
      if (!place) return begin(job);
      const name = plan[place.step];
      if (name === undefined) return finished;
      if (name === 'wait') return wait(place, now);
      if (name === 'check') return check(job, place);
      const { counts, next, channelIds = [] } = await deletion.steps[name](place, now);
      const after: DeletionPlace = {
        ...place,
        ...(next === undefined ? { step: place.step + 1, after: undefined } : { after: next }),
        channelIds: [...new Set([...place.channelIds, ...channelIds])],
      };
      if (after.step === plan.length) return { ...finished, counts };
      return { ...progress(counts), cursor: after };
    };
  };

  async function begin({ jobId: deletionId, cursor, createdAt: since }: Job): Promise<JobProgress> {
    const { ownerId } = cursor as Pick<DeletionPlace, 'ownerId'>;
    const standing = await deletion.begin(ownerId, { deletionId, since });
    // Another request was first, and its deletion is carried out.
    if (standing && standing.deletionId !== deletionId) return finished;
    const place: DeletionPlace = { ownerId, since, step: 0, channelIds: [], rounds: 0 };
    return { ...progress({}), cursor: place };
  }

  async function check({ jobId }: Job, place: DeletionPlace): Promise<JobProgress> {
    if (!(await deletion.isAnythingLeft(place.ownerId))) {
      return { ...progress({}), cursor: { ...place, step: place.step + 1 } };
    }
    const isStuck = place.rounds >= mostRounds;
    if (isStuck) {
      const reason = 'Some items of an owner can’t be deleted; the deletion goes on trying';
      reportFault({ thing: 'job', reason, ids: { jobId } });
    }
    const step = plan.indexOf('wait') + 1;
    const again: DeletionPlace = { ...place, step, rounds: place.rounds + 1 };
    return { ...progress({}), cursor: again, waitSeconds: isStuck ? stuckSeconds : againSeconds };
  }
}

function wait(place: DeletionPlace, now: number): JobProgress {
  const leftMs = place.since + settleMs - now;
  if (leftMs <= 0) return { ...progress({}), cursor: { ...place, step: place.step + 1 } };
  return { ...progress({}), cursor: place, waitSeconds: Math.ceil(leftMs / 1_000) };
}

/** The cursor no longer names the owner. */
const finished: JobProgress = { done: 0, counts: {}, cursor: {}, isFinished: true };

function progress(counts: Record<string, number>): JobProgress {
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { done, counts, isFinished: false };
}

function placeOf({ cursor }: Job): DeletionPlace | undefined {
  const place = Object(cursor) as Partial<DeletionPlace>;
  if (place.ownerId === undefined) throw new Error('the deletion names no owner');
  return place.step === undefined ? undefined : (place as DeletionPlace);
}
