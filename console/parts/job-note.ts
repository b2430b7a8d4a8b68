// A job that a press has begun: shown in a note until it is over.
import { cancelJob, type JobJson, readJob } from '../api/calls.ts';
import { UnreachableError } from '../api/errors.ts';
import { send } from '../api/send.ts';
import { count, plural } from '../words/amounts.ts';
import { openNote } from './toasts.tsx';

/** As the API says: `Retry-After`. */
const askEveryMs = 2_000;

/** Whether a job can still change. */
export function isUnderWay({ state }: Pick<JobJson, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/**
 * Waits for what was answered with a job, and says meanwhile how far it is; a person can stop it. Anything else is
 * returned as it is.
 * @param done what is done to the watches, such as `Paused`
 * @throws RefusedError | SignedOutError
 */
export async function untilOver<Answer extends object>(
  answer: Answer | JobJson,
  done: string,
): Promise<Answer | JobJson> {
  if (!('state' in answer)) return answer;
  let job: JobJson = answer;
  const { id, total } = job;
  const note = openNote(() => send(cancelJob, { path: { id } }));
  try {
    while (isUnderWay(job)) {
      note.say(`${done} ${count(job.done)} of ${plural(total, 'watch', 'watches')} so far`);
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      job = await send(readJob, { path: { id } }).catch((error) => {
        // The job goes on meanwhile.
        if (error instanceof UnreachableError) return job;
        throw error;
      });
    }
    return job;
  } finally {
    note.close();
  }
}
