// The rows of a large file as its job stores them, and the results of rows with faults.
import type { RowOutcome } from './import-watchlist.ts';
import { type FileFault, type FileRow, placeInCsv, placeInJson } from './watchlist-file.ts';

/** A row without its function. */
export interface StoredRow extends Omit<FileRow, 'place'> {
  form: 'csv' | 'json';
}

export function storeRow({ place: _place, ...row }: FileRow, form: StoredRow['form']): StoredRow {
  return { ...row, form };
}

export function openRow({ form, ...row }: StoredRow): FileRow {
  return { ...row, place: form === 'csv' ? placeInCsv : placeInJson(row.line) };
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
