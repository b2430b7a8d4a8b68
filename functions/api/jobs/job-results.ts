// Reads the results of a job's rows from its lots: a page of them, or all as CSV.
import type { JobStore } from '#shared/dynamo/jobs.ts';
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Job, RowResult } from '#shared/watchlist/job.ts';
import { asText, writeCsv } from '../watches/csv-table.ts';

type Results = Pick<JobStore, 'readRows'>;

/** Lots that are read together. */
const lotsAtOnce = 25;

/** A position in the results: the lot, and the row in it, both from 0. */
export const resultPlaces = /^\d{1,6}\/\d{1,6}$/;

/** One page of the results in the order of the file. Only lots that are saved count. */
export async function resultPage(
  jobs: Results,
  { jobId, lots }: Job,
  { limit, after = '0/0' }: PageRequest,
): Promise<OwnedPage<RowResult>> {
  const [first = 0, skipped = 0] = after.split('/').map(Number);
  const rows: RowResult[] = [];
  for (let lot = first; lot < lots; lot += 1) {
    const own = await readLot(jobs, jobId, lot);
    const from = lot === first ? skipped : 0;
    const taken = own.slice(from, from + limit - rows.length);
    rows.push(...taken);
    if (from + taken.length < own.length) return { rows, next: `${lot}/${from + taken.length}` };
    if (rows.length === limit) return lot + 1 < lots ? { rows, next: `${lot + 1}/0` } : { rows };
  }
  return { rows };
}

/** All results as CSV. */
export async function resultsCsv(
  jobs: Results,
  { jobId, lots }: Job,
  form: Parameters<typeof writeCsv>[1],
): Promise<string> {
  const numbers = Array.from({ length: lots }, (_, lot) => lot);
  const found = await inLots(numbers, lotsAtOnce, (lot) => readLot(jobs, jobId, lot));
  const lines = found
    .flat()
    .map(({ line, outcome, id, detail }) => [
      String(line),
      ...[outcome, id ?? '', detail ?? ''].map(asText),
    ]);
  return writeCsv([['line', 'outcome', 'id', 'detail'], ...lines], form);
}

async function readLot(jobs: Results, jobId: string, lot: number): Promise<RowResult[]> {
  return ((await jobs.readRows({ jobId, part: 'result', lot })) ?? []) as RowResult[];
}
