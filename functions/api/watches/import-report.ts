// The answer to the import of a small file.
import * as z from 'zod';
import { type FileCost, fileCostSchema } from './forecast-file.ts';
import { type RowOutcome, rowOutcomeSchema } from './row-outcome.ts';

export const importReportSchema = z
  .object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    already_there: z.int(),
    refused: z.int(),
    would_be_created: z.int().meta({ description: 'In a dry run; otherwise 0' }),
    would_be_updated: z.int().meta({ description: 'In a dry run; otherwise 0' }),
    not_reached: z.int().meta({
      description:
        'Rows for which there was no time: send the file again, with a new Idempotency-Key',
    }),
    cost: fileCostSchema.nullable().meta({ description: 'Of a dry run; otherwise null' }),
    watches: z.array(rowOutcomeSchema),
  })
  .meta({ id: 'ImportReport' });

/** The outcomes of all rows, and what a dry run says of their cost. */
export interface Imported {
  outcomes: RowOutcome[];
  cost: FileCost | null;
}

export function reportOf({ outcomes, cost }: Imported): z.infer<typeof importReportSchema> {
  const count = (outcome: RowOutcome['outcome']) =>
    outcomes.filter((each) => each.outcome === outcome).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    already_there: count('already_there'),
    refused: count('refused'),
    would_be_created: count('would_be_created'),
    would_be_updated: count('would_be_updated'),
    not_reached: count('not_reached'),
    cost,
    watches: outcomes,
  };
}
