// Changes many watches at once, and undoes such a change.
import * as z from 'zod';
import { isExpired } from '#shared/retention.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import { isOver, type Job, type RowResult } from '#shared/watchlist/job.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { createBeginJob } from '../jobs/begin-job.ts';
import { acceptedJob, jobJsonSchema } from '../jobs/job-json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { notFound, problem } from '../problem.ts';
import { type BulkAction, bulkActionSchema } from '../watches/bulk/bulk-actions.ts';
import { bulkReport, bulkReportSchema, foretoldReport } from '../watches/bulk/bulk-json.ts';
import { createBulkRun } from '../watches/bulk/bulk-lot.ts';
import { type BulkRow, bulkLotSize, bulkOptions } from '../watches/bulk/bulk-run.ts';
import { resolveAction } from '../watches/bulk/resolve-action.ts';
import { createRunBulk, mostAtOnce, type RunOutcome } from '../watches/bulk/run-bulk.ts';
import { createSelectWatches, mostWatches } from '../watches/bulk/select-watches.ts';
import { readWatchFilter, watchFilterFields } from '../watches/watch-filter.ts';

const tag = 'Watches';
/** 10,000 ids of 36 letters, with their quotes and commas. */
const mostBodyBytes = 500_000;

const bulkSchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(200)).min(1).max(mostWatches).optional(),
    filter: z
      .strictObject({
        event_id: z.int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
        ...watchFilterFields,
      })
      .optional()
      .meta({ description: 'As in GET /v1/watches; all must match. {} takes every watch.' }),
    action: bulkActionSchema,
    dry_run: z.boolean().optional().meta({
      description: 'Say what would change and what that does to the cost; change nothing',
    }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'must have either `ids` or `filter`',
  })
  .meta({ id: 'BulkChange' });

const words = [
  `Up to ${groupThousands(mostWatches)} watches, by \`ids\` or by \`filter\`. At most ${mostAtOnce} are changed within the request. More are answered with 202 and a job: GET /v1/jobs/{id} says how far it is, GET /v1/jobs/{id}/results has the result of each watch.`,
  'Each watch is changed alone: a refusal concerns that watch, and `detail` says why. A watch that another request changes at the same moment is refused. Each changed watch has a new version, which names this run; repeating the request with its Idempotency-Key changes nothing twice.',
  'With `dry_run` nothing is written, and the answer (or the job) says what would change in each watch and what that does to the cost of polling.',
  'POST /v1/watches/bulk/{id}/undo undoes a run.',
].join(' ');

const examples: Record<string, { summary: string; action: BulkAction; isDry?: boolean }> = {
  percent: {
    summary: 'Lower the get-in levels of a tag by 5 percent: what would change?',
    action: { type: 'change_level', by_percent: -5, metric: 'get_in' },
    isDry: true,
  },
  pause: { summary: 'Pause all watches of a tag', action: { type: 'pause' } },
  snooze: { summary: 'Snooze them for an hour', action: { type: 'snooze', minutes: 60 } },
  retag: { summary: 'Give them a tag', action: { type: 'add_tags', tags: ['finals'] } },
  delete: { summary: 'Delete them', action: { type: 'delete' } },
};

/** change, undo. */
export function bulkOperations(deps: ApiDeps): Operation[] {
  const openBulkRun = createBulkRun(deps);
  const runBulk = createRunBulk({ ...deps, openBulkRun, beginJob: createBeginJob(deps) });
  return [changeOperation(deps, { openBulkRun, runBulk }), undoOperation(deps, runBulk)];
}

type RunBulk = ReturnType<typeof createRunBulk>;

function changeOperation(
  deps: ApiDeps,
  { openBulkRun, runBulk }: { openBulkRun: ReturnType<typeof createBulkRun>; runBulk: RunBulk },
) {
  const selectWatches = createSelectWatches(deps);

  return defineOperation({
    method: 'post',
    path: '/v1/watches/bulk',
    tag,
    summary: 'Change many watches',
    description: words,
    access: 'write',
    body: bulkSchema,
    mostBodyBytes,
    bodyExamples: Object.fromEntries(
      Object.entries(examples).map(([name, { summary, action, isDry }]) => [
        name,
        {
          summary,
          value: { filter: { tag: 'knicks' }, action, ...(isDry && { dry_run: true }) },
        },
      ]),
    ),
    answer: { status: 200, description: 'The result of each watch', schema: bulkReportSchema },
    accepted: { description: 'The job that changes many watches', schema: jobJsonSchema },
    handle: async ({ ownerId, body, by, newId, now }) => {
      const { ids, filter = {}, dry_run: isDry = false } = body;
      const selection = ids ? { ids } : { filter: readWatchFilter(filter, '#/filter') };
      const [action, lots] = await Promise.all([
        resolveAction(deps.stores, { ownerId, action: body.action, now }),
        selectWatches(ownerId, selection, now),
      ]);
      const jobId = newId('job');
      const wanted = { ...{ jobId, ownerId, lots, by, isDry, now }, work: { action } };
      if (!isDry || lots.flat().length > mostAtOnce) return answerOf(await runBulk(wanted));
      const options = { work: { action }, by, dry_run: true };
      const { foretell } = openBulkRun({ jobId, ownerId, options });
      const { rows, cost } = await foretell(lots.flat(), action, now);
      return { body: foretoldReport(rows, cost) };
    },
  });
}

function undoOperation({ stores }: ApiDeps, runBulk: RunBulk) {
  const { jobs } = stores;

  /** @throws ProblemError for a run that is not over, or has changed nothing. */
  async function findRun(jobId: string, ownerId: string, now: number): Promise<Job> {
    const job = await jobs.find(jobId);
    const isRun = job?.ownerId === ownerId && job.kind === 'bulk_change' && !isExpired(job, now);
    if (!isRun) throw notFound('bulk change');
    if (bulkOptions(job).dry_run) throw problem('conflict', 'A dry run has changed nothing');
    if (isOver(job)) return job;
    const detail = `The run is not over; cancel it first with POST /v1/jobs/${jobId}/cancel`;
    throw problem('conflict', detail);
  }

  async function changedBy({ jobId, lots }: Job): Promise<BulkRow[][]> {
    const numbers = Array.from({ length: lots }, (_, lot) => lot);
    const found = await Promise.all(
      numbers.map((lot) => jobs.readRows({ jobId, part: 'result', lot })),
    );
    const results = found.flatMap((rows) => (rows ?? []) as RowResult[]);
    const ids = results.flatMap(({ outcome, id }) => (outcome === 'changed' && id ? [id] : []));
    const rows = ids.map((id, index) => ({ line: index + 1, id }));
    const first = Array.from({ length: Math.ceil(rows.length / bulkLotSize) }, (_, lot) => lot);
    return first.map((lot) => rows.slice(lot * bulkLotSize, (lot + 1) * bulkLotSize));
  }

  return defineOperation({
    method: 'post',
    path: '/v1/watches/bulk/{id}/undo',
    tag,
    summary: 'Undo a bulk change',
    description: `Gives each watch that the run changed the version before it, as a new version, and restores each that it deleted. A watch that was changed since is skipped, and \`detail\` says by whom. More than ${mostAtOnce} watches are answered with 202 and a job. The undo is a run of its own, which can be undone too. A run can be undone for 7 days.`,
    access: 'write',
    params: z.object({
      id: idSchema('job').meta({ description: 'The run’s id', examples: [exampleIds.bulkRun] }),
    }),
    answer: { status: 200, description: 'The result of each watch', schema: bulkReportSchema },
    accepted: { description: 'The job that undoes a large run', schema: jobJsonSchema },
    handle: async ({ ownerId, params, by, newId, now }) => {
      const run = await findRun(params.id, ownerId, now);
      const work = { undoes: run.jobId };
      const lots = await changedBy(run);
      const wanted = { jobId: newId('job'), ownerId, lots, work, by, isDry: false, now };
      return answerOf(await runBulk(wanted));
    },
  });
}

function answerOf({ job, results }: RunOutcome) {
  return results ? { body: bulkReport(job, results) } : acceptedJob(job);
}
