// Jobs: progress, results, cancellation.
import * as z from 'zod';
import { isExpired } from '#shared/retention.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { Job } from '#shared/watchlist/job.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { jobHeaders, jobJson, jobJsonSchema, rowResultSchema } from '../jobs/job-json.ts';
import { resultPage, resultPlaces, resultsCsv } from '../jobs/job-results.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageQuerySchema, pageRequest, pageSchema } from '../page.ts';
import { notFound, problem } from '../problem.ts';
import { csvParams } from '../watches/csv-table-params.ts';

const tag = 'Jobs';

const params = z.object({
  id: idSchema('job').meta({ description: 'The job’s id', examples: [exampleIds.job] }),
});

/** list, get, results, cancel. */
export function jobOperations(deps: ApiDeps): Operation[] {
  const owned: Owned = async (jobId, ownerId, now) => {
    const job = await deps.stores.jobs.find(jobId);
    if (job?.ownerId !== ownerId || isExpired(job, now)) throw notFound('job');
    return job;
  };
  const get = defineOperation({
    method: 'get',
    path: '/v1/jobs/{id}',
    tag,
    summary: 'A job and its progress',
    description:
      'Ask again after Retry-After seconds until the state is done, failed or cancelled. Results are there lot by lot while the job runs.',
    access: 'read',
    params,
    answer: { status: 200, description: 'The job', schema: jobJsonSchema },
    handle: async ({ params: { id }, ownerId, now }) => {
      const job = await owned(id, ownerId, now);
      return { body: jobJson(job), headers: jobHeaders(job) };
    },
  });
  return [listOperation(deps), get, resultsOperation(deps, owned), cancelOperation(deps, owned)];
}

type Owned = (jobId: string, ownerId: string, now: number) => Promise<Job>;

function listOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/jobs',
    tag,
    summary: 'Your jobs',
    description:
      'The newest first; jobs are deleted after seven days. A job is work that takes longer than a request, such as the import of a large file.',
    access: 'read',
    query: pageQuerySchema,
    answer: { status: 200, description: 'Jobs', schema: pageSchema('Jobs', jobJsonSchema) },
    handle: async ({ ownerId, query, now }) => {
      const page = await stores.jobs.list(ownerId, pageRequest(query, /^job_[0-9a-f]{32}$/));
      const rows = page.rows.filter((job) => !isExpired(job, now));
      return { body: pageJson({ ...page, rows }, jobJson) };
    },
  });
}

function resultsOperation({ stores }: ApiDeps, owned: Owned) {
  return defineOperation({
    method: 'get',
    path: '/v1/jobs/{id}/results',
    tag,
    summary: 'The results of a job, row by row',
    description:
      'In the order of the rows: JSON in pages, or with format=csv all rows at once with the columns line, outcome, id and detail. While the job runs, the rows that are carried out.',
    access: 'read',
    params,
    query: z.strictObject({
      ...pageParams,
      format: z.enum(['json', 'csv']).default('json'),
      ...csvParams,
    }),
    answer: {
      status: 200,
      description: 'The results',
      schema: pageSchema('JobResults', rowResultSchema),
      types: ['application/json', 'text/csv'],
    },
    handle: async ({ params: { id }, ownerId, query, now }) => {
      const job = await owned(id, ownerId, now);
      if (query.format === 'csv') {
        const form = { separator: query.separator, isMarked: query.for === 'excel' };
        const content = await resultsCsv(stores.jobs, job, form);
        const headers = { 'content-disposition': `attachment; filename="${id}.csv"` };
        return { text: { type: 'text/csv; charset=utf-8', content }, headers };
      }
      const page = await resultPage(stores.jobs, job, pageRequest(query, resultPlaces));
      return { body: pageJson(page, (row) => row) };
    },
  });
}

function cancelOperation({ stores }: ApiDeps, owned: Owned) {
  return defineOperation({
    method: 'post',
    path: '/v1/jobs/{id}/cancel',
    tag,
    summary: 'Cancel a job',
    description:
      'A job that has not begun is cancelled at once. A running one first ends the lot that is under way, at most a few hundred rows; until then its state is `running`. What is done stays done.',
    access: 'write',
    params,
    answer: { status: 200, description: 'The job', schema: jobJsonSchema },
    handle: async ({ params: { id }, ownerId, now }) => {
      const job = await owned(id, ownerId, now);
      const cancelled = await stores.jobs.cancel(id, now);
      if (cancelled) return { body: jobJson(cancelled), headers: jobHeaders(cancelled) };
      const { state } = (await stores.jobs.find(id)) ?? job;
      if (state === 'cancelled') return { body: jobJson(await owned(id, ownerId, now)) };
      throw problem('conflict', `The job is over: its state is ${state}`);
    },
  });
}
