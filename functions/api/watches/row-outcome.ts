// What a row of a watchlist file did, or would do.
import * as z from 'zod';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { ProblemError } from '../problem.ts';
import type { RowStep } from './decide-row.ts';
import type { FileFault } from './watchlist-file.ts';

/** What a row did; in a dry run, what it would do. */
export const rowOutcomeSchema = z.object({
  line: z.int().meta({ description: 'CSV: the line; JSON: the number from 1' }),
  outcome: z.enum([
    ...(['created', 'updated', 'unchanged', 'already_there', 'refused'] as const),
    ...(['not_reached', 'would_be_created', 'would_be_updated'] as const),
  ]),
  id: z.string().nullable().meta({ description: 'The watch; null if there is none' }),
  detail: z.string().nullable().meta({
    description: 'Why the row is refused or not reached, or which line asks for the same watch',
  }),
});

export type RowOutcome = z.infer<typeof rowOutcomeSchema>;

/** What a step would do. */
export function foretold(step: RowStep): RowOutcome {
  const { line } = step;
  switch (step.kind) {
    case 'known':
      return { line, outcome: step.outcome, id: step.id, detail: null };
    case 'repeats':
      return repeated(step, undefined);
    case 'create':
      return { line, outcome: 'would_be_created', id: null, detail: null };
    default:
      return { line, outcome: 'would_be_updated', id: step.watch.watchId, detail: null };
  }
}

export function notReached(line: number): RowOutcome {
  const detail = 'There was no time left for this row: send the file again';
  return { line, outcome: 'not_reached', id: null, detail };
}

/** The outcome of a row that asks for the same watch as an earlier one. */
export function repeated(
  { line, first }: { line: number; first: number },
  done: RowOutcome | undefined,
): RowOutcome {
  const detail = `asks for the same watch as line ${first}`;
  if (done?.outcome === 'refused') return { ...done, line };
  return { line, outcome: 'already_there', id: done?.id ?? null, detail };
}

/** The outcome of the work on a row; a refusal is one. */
export async function reported(
  line: number,
  carryOut: () => Promise<Pick<RowOutcome, 'outcome' | 'id'>>,
): Promise<RowOutcome> {
  try {
    return { line, ...(await carryOut()), detail: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      const detail = brokenRow(error, line);
      return { line, outcome: 'refused', id: null, detail };
    }
    const { watch_id: id } = error.members;
    if (error.type === 'duplicate-watch' && typeof id === 'string') {
      return { line, outcome: 'already_there', id, detail: null };
    }
    return { line, outcome: 'refused', id: null, detail: error.detail };
  }
}

/**
 * An unexpected fault stays with its row; the others go on.
 * @returns what the row's owner reads.
 * @throws the error if it is transient.
 */
export function brokenRow(error: unknown, line: number): string {
  if (isTransient(error)) throw error;
  reportFault({ thing: 'import_row', reason: reasonOf(error), ids: { line }, error });
  return 'can’t be carried out: an error on our side, whose cause the operator sees';
}

/** The rows with faults, each with all of its faults. */
export function refusedRows(faults: readonly FileFault[]): RowOutcome[] {
  return [...Map.groupBy(faults, ({ line }) => line)].map(([line, own]) => ({
    line,
    outcome: 'refused',
    id: null,
    detail: own.map(wordsOf).join('; '),
  }));
}

/** "#/rules/0/at_or_below", "must be …" → "rules/0/at_or_below must be …" */
export function wordsOf({ pointer, detail }: FileFault): string {
  return [pointer.slice(2), detail].filter((part) => part !== '').join(' ');
}
