// The answer to a bulk change: the result of each watch, and in a dry run what would change.
import * as z from 'zod';
import { countRows, type Job, type RowResult } from '#shared/watchlist/job.ts';
import { type Difference, differenceSchema } from '../watch-differences.ts';
import { type BulkCost, bulkCostJson, bulkCostSchema } from './bulk-cost.ts';
import type { ForetoldRow } from './foretell-rows.ts';

const outcomes = ['changed', 'unchanged', 'refused', 'skipped', 'would_change'] as const;

export const bulkReportSchema = z
  .object({
    id: z.string().nullable().meta({
      description:
        'The run, which is a job: for GET /v1/jobs/{id}, and to undo it within 7 days. null in a dry run.',
    }),
    dry_run: z.boolean(),
    total: z.int().meta({ description: 'Number of watches' }),
    counts: z
      .record(z.string(), z.int())
      .meta({ description: 'Number of watches by their outcome' }),
    cost: bulkCostSchema
      .nullable()
      .meta({ description: 'In a dry run, what the change does to the cost; otherwise null' }),
    watches: z.array(
      z.object({
        id: z.string(),
        outcome: z.enum(outcomes).meta({
          description:
            'changed; unchanged: nothing to change; refused: `detail` says why; skipped: an undo leaves a watch that was changed since; would_change: in a dry run',
        }),
        detail: z
          .string()
          .nullable()
          .meta({ description: 'What changed in plain words, or why nothing did' }),
        changes: z
          .array(differenceSchema)
          .optional()
          .meta({ description: 'In a dry run: what would change' }),
      }),
    ),
  })
  .meta({ id: 'BulkReport' });

type Report = z.infer<typeof bulkReportSchema>;

/** The report of a run that is over. */
export function bulkReport({ jobId }: Job, results: readonly RowResult[]): Report {
  return {
    ...{ id: jobId, dry_run: false, cost: null },
    ...rowsJson(results),
  };
}

/** The report of a dry run. */
export function foretoldReport(rows: readonly ForetoldRow[], cost: BulkCost): Report {
  return { ...{ id: null, dry_run: true, cost: bulkCostJson(cost) }, ...rowsJson(rows) };
}

function rowsJson(rows: readonly (RowResult & { changes?: Difference[] })[]) {
  return {
    ...{ total: rows.length, counts: countRows(rows) },
    watches: rows.map(({ id, outcome, detail, changes }) => ({
      id: id ?? '',
      outcome: outcomes.find((each) => each === outcome) ?? 'refused',
      detail,
      ...(changes && { changes }),
    })),
  };
}
