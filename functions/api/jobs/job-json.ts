// A job as JSON, and the results of its rows.
import * as z from 'zod';
import { isOver, type Job, jobKinds, jobStates } from '#shared/watchlist/job.ts';

export const jobJsonSchema = z
  .object({
    id: z.string(),
    kind: z.enum(jobKinds),
    state: z.enum(jobStates).meta({
      description:
        'queued: not begun; running; done: every row has a result; failed: stopped by a fault on our side, which `error` says; cancelled: ended by POST /v1/jobs/{id}/cancel. The results of rows that were carried out are there in every state.',
    }),
    is_dry_run: z.boolean().meta({ description: 'Whether it only says what it would do' }),
    total: z.int().meta({ description: 'Rows in all; 0 while unknown' }),
    done: z.int().meta({ description: 'Rows that have a result' }),
    counts: z
      .record(z.string(), z.int())
      .meta({ description: 'Rows with a result, by their outcome' }),
    summary: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What concerns the whole job, such as its cost; null without any' }),
    error: z.string().nullable(),
    cancel_requested_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    expires_at: z.iso
      .datetime()
      .meta({ description: 'When the job and its results are deleted: seven days after it began' }),
  })
  .meta({ id: 'Job' });

export const rowResultSchema = z
  .object({
    line: z.int().meta({ description: 'CSV: the line; otherwise the number from 1' }),
    outcome: z.string().meta({ description: 'Such as `created`; the counts of the job have it' }),
    id: z.string().nullable().meta({ description: 'What the row is about, such as a watch' }),
    detail: z.string().nullable().meta({ description: 'Such as why the row is refused' }),
  })
  .meta({ id: 'RowResult' });

/** A job as the API shows it. */
export function jobJson(job: Job): z.infer<typeof jobJsonSchema> {
  return {
    ...{ id: job.jobId, kind: job.kind, state: job.state },
    is_dry_run: job.options.dry_run === true,
    ...{ total: job.total, done: job.done, counts: job.counts },
    summary: job.summary ?? null,
    error: job.error ?? null,
    cancel_requested_at: timeOf(job.cancelRequestedAt),
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
    finished_at: timeOf(job.finishedAt),
    expires_at: new Date(job.expiresAtEpochSeconds * 1_000).toISOString(),
  };
}

/** How long a client waits before it asks again; nothing for a job that is over. */
export function jobHeaders(job: Job): Record<string, string> {
  return isOver(job) ? {} : { 'retry-after': '2' };
}

/** The answer to a request that began a job. */
export function acceptedJob(job: Job) {
  const headers = { location: `/v1/jobs/${job.jobId}`, ...jobHeaders(job) };
  return { status: 202, body: jobJson(job), headers } as const;
}

function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
