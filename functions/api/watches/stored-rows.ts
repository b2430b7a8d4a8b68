// The rows of a large file as its job stores them, in lots.
import type { RowOutcome } from './row-outcome.ts';
import { type FileRow, placeInCsv, placeInJson } from './watchlist-file.ts';

export type FileForm = 'csv' | 'json';

/** A row without its function, or the outcome of a row that is not carried out; a dry run has such rows. */
export type StoredRow = { outcome: RowOutcome } | StoredFileRow;

type StoredFileRow = Omit<FileRow, 'place'> & { form: FileForm };

/** A lot takes a second or two, and a repeat after a crash as long. */
const rowsPerLot = 100;
/** JSON of this size fits into an item when it is compressed, whatever its text is. */
const bytesPerLot = 400_000;

export function storeRow({ place: _place, ...row }: FileRow, form: FileForm): StoredRow {
  return { ...row, form };
}

/** Cuts the rows into lots, in the order of their lines. */
export function cutIntoLots(rows: readonly StoredRow[]): StoredRow[][] {
  const ordered = rows.toSorted((a, b) => lineOf(a) - lineOf(b));
  const lots: StoredRow[][] = [];
  let bytes = 0;
  for (const row of ordered) {
    const last = lots.at(-1);
    const own = Buffer.byteLength(JSON.stringify(row));
    bytes += own;
    if (last && last.length < rowsPerLot && bytes <= bytesPerLot) last.push(row);
    else {
      lots.push([row]);
      bytes = own;
    }
  }
  return lots;
}

function lineOf(row: StoredRow): number {
  return 'outcome' in row ? row.outcome.line : row.line;
}

/** The rows of a lot that are carried out, and the outcomes of the others. */
export function openRows(stored: readonly StoredRow[]) {
  const rows: FileRow[] = [];
  const outcomes: RowOutcome[] = [];
  for (const row of stored) {
    if ('outcome' in row) outcomes.push(row.outcome);
    else rows.push(openRow(row));
  }
  return { rows, outcomes };
}

function openRow({ form, ...row }: StoredFileRow): FileRow {
  return { ...row, place: form === 'csv' ? placeInCsv : placeInJson(row.line) };
}
