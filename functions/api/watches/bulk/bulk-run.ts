// A bulk change as a job: its options and its rows. The job's id is the run's id: each watch that the run changed has it
// in `changedBy`, so an undo knows whether the run's version is still the current one.
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import type { Job } from '#shared/watchlist/job.ts';
import type { BulkAction } from './bulk-actions.ts';

/** What a run does: an action, or the undo of an earlier run. */
export type BulkWork = { action: BulkAction } | { undoes: string };

/** The options of the job. */
export interface BulkOptions extends Record<string, unknown> {
  work: BulkWork;
  by: ChangedBy;
  dry_run: boolean;
}

/** The input of a lot. */
export interface BulkRow {
  /** The number of the row, from 1. */
  line: number;
  id: string;
}

/** What a lot is about to change: each watch with the version that it had; null if it can't be read. */
export interface PlannedRow extends BulkRow {
  version: number | null;
}

/** Watches of a lot; a lot takes a few seconds. */
export const bulkLotSize = 100;

/** The options of a stored job; it was stored by this release or an earlier one. */
export function bulkOptions({ options }: Pick<Job, 'options'>): BulkOptions {
  return options as BulkOptions;
}
