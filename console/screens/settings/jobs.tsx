// Jobs: work that takes longer than a request, how far it is, its results, and ending it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { cancelJob, type JobJson, listJobs, readJob } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { isUnderWay } from '../../parts/job-note.ts';
import { Ago } from '../../parts/time.tsx';
import { attempt, told } from '../../parts/toasts.tsx';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { count } from '../../words/amounts.ts';
import { countWords } from './import-words.ts';

const soonMs = 2_000;
const seldomMs = 60_000;
const mostJobs = 10;

const kinds: Readonly<Record<JobJson['kind'], string>> = {
  import: 'Import',
  bulk_change: 'Change of many watches',
  deletion: 'Deletion',
};

const states: Readonly<Record<JobJson['state'], string>> = {
  queued: 'not begun',
  running: 'running',
  done: 'done',
  failed: 'stopped by a fault of ours',
  cancelled: 'ended by you',
};

/** Asked every other second while one of the jobs is under way. */
export function Jobs() {
  const everyMs = useSignal(soonMs);
  const { data } = useLive(
    (signal) => send(listJobs, { query: { limit: mostJobs }, signal }),
    [],
    everyMs.value,
  );
  const jobs = data.value?.data ?? [];
  const isBusy = data.value === undefined || jobs.some(isUnderWay);
  useEffect(() => {
    everyMs.value = isBusy ? soonMs : seldomMs;
  }, [isBusy]);
  if (jobs.length === 0) return null;
  return (
    <Card title="Jobs of the last 7 days">
      <ul class="plain-list rows">
        {jobs.map((job) => (
          <li key={job.id}>
            <JobLine job={job} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One job, as far as it is. */
export function JobProgress({ id }: { id: string }) {
  const everyMs = useSignal(soonMs);
  const { data } = useLive(
    (signal) => send(readJob, { path: { id }, signal }),
    [id],
    everyMs.value,
  );
  const job = data.value;
  useEffect(() => {
    if (job && !isUnderWay(job)) everyMs.value = seldomMs;
  }, [job]);
  return job ? <JobLine job={job} /> : null;
}

function JobLine({ job }: { job: JobJson }) {
  const { id, kind, state, done, total, is_dry_run: isDry, counts, error, created_at } = job;
  const cancel = () =>
    attempt(async () => {
      await send(cancelJob, { path: { id } });
      told('The job ends after the rows that are under way');
    });
  return (
    <div class="job">
      <div class="row">
        <span class="grow">
          <b>{kinds[kind]}</b>
          {isDry && ', preview only'}: {states[state]}
          {isUnderWay(job) && total > 0 && `, ${count(done)} of ${count(total)}`}
        </span>
        <span class="small muted">
          <Ago time={created_at} />
        </span>
      </div>
      {isUnderWay(job) && (
        <progress max={Math.max(total, 1)} value={done} aria-label="How far it is" />
      )}
      {countWords(counts) !== '' && <p class="small muted">{countWords(counts)}</p>}
      {error && <p class="small alarm-text">{error}</p>}
      <div class="row">
        {done > 0 && (
          <a class="link small" href={`/v1/jobs/${id}/results?format=csv`} download>
            Results, row by row
          </a>
        )}
        {canWrite.value && isUnderWay(job) && (
          <button type="button" onClick={() => void cancel()}>
            End it
          </button>
        )}
      </div>
    </div>
  );
}
