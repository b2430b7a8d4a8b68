// Jobs: work of an owner that takes longer than a request. A job carries its rows out in lots, one after another; the
// end of each lot is saved, so that another worker goes on from there.
import * as z from 'zod';

/** The kinds of jobs; functions/jobs/job-kinds.ts says how each carries out its lots. */
export const jobKinds = ['import', 'bulk_change', 'deletion'] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** Times are epoch milliseconds. */
export interface Job {
  jobId: string;
  ownerId: string;
  kind: JobKind;
  state: JobState;
  /** What the job was asked for beside its rows, as its kind reads it. */
  options: Record<string, unknown>;
  /** Lots of rows that are stored as the job's input; 0 for a kind without input. */
  inputLots: number;
  /** Rows in all. A kind without input may say 0, and the number later. */
  total: number;
  /** Rows that are carried out, and their number by outcome. */
  done: number;
  counts: Record<string, number>;
  /** Lots that are carried out: the number of the next lot, from 0. */
  lots: number;
  /** Where the next lot begins, as the kind writes it; for kinds without input. */
  cursor?: unknown;
  /** What the kind says about the whole job, such as what it costs. */
  summary?: Record<string, unknown>;
  /** Runs that began and saved no lot since. */
  idleRuns: number;
  /** Why the job failed. */
  error?: string | undefined;
  cancelRequestedAt?: number | undefined;
  /** The run that carries the job out, and until when no other run may. */
  lease?: string | undefined;
  leaseUntil?: number | undefined;
  createdAt: number;
  updatedAt: number;
  finishedAt?: number | undefined;
  expiresAtEpochSeconds: number;
}

/** The result of one row; `line` is its line in the file, or its number from 1. */
export interface RowResult {
  line: number;
  outcome: string;
  /** What the row is about, such as a watch; null if there is nothing. */
  id: string | null;
  detail: string | null;
}

/** What a lot did. */
export interface JobProgress {
  /** Rows that the lot carried out, and their number by outcome. */
  done: number;
  counts: Readonly<Record<string, number>>;
  /** Where the next lot begins; undefined leaves it. */
  cursor?: unknown;
  /** Replaces the number of rows in all. */
  total?: number;
  /** Replaces the job's summary. */
  summary?: Record<string, unknown> | undefined;
  /** How long the job has to wait before its next lot, up to 900 s. */
  waitSeconds?: number;
  isFinished: boolean;
}

/** A job, its rows and its results are stored for seven days. */
export const jobKeptSeconds = 7 * 86_400;

/** The message that makes a worker look at a job. */
export const jobMessageSchema = z.object({ jobId: z.string().min(1) });
export type JobMessage = z.infer<typeof jobMessageSchema>;

/** Whether nothing more will be done. */
export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** What a write changes; undefined removes a value. */
export type JobChanges = { [Name in keyof Job]?: Job[Name] | undefined };

/** The values of a job after a lot. A cancelled job ends with the lot. */
export function afterLot(job: Job, progress: JobProgress, now: number): JobChanges {
  const { isFinished, cursor = job.cursor, total = job.total, summary = job.summary } = progress;
  const isCancelled = !isFinished && job.cancelRequestedAt !== undefined;
  return {
    state: isFinished ? 'done' : isCancelled ? 'cancelled' : 'running',
    done: job.done + progress.done,
    counts: sumOf(job.counts, progress.counts),
    lots: job.lots + 1,
    idleRuns: 0,
    updatedAt: now,
    ...{ total, cursor, summary },
    ...((isFinished || isCancelled) && { finishedAt: now }),
  };
}

/** Counts of rows by their outcome. */
export function countRows(rows: readonly Pick<RowResult, 'outcome'>[]): Record<string, number> {
  return rows.reduce<Record<string, number>>(
    (counts, { outcome }) => sumOf(counts, { [outcome]: 1 }),
    {},
  );
}

function sumOf(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
