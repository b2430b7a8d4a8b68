/** Reads a CSV file record by record, with line numbers. Knows no column's meaning. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** Thrown when a file lacks a column; names the column. */
export class MissingColumnError extends Error {
  override readonly name = 'MissingColumnError';
}

export interface CsvLine {
  /** The last line of the record in the file, counted from 1. */
  line: number;
  /** Cells by column; a missing cell is the empty string. */
  cells: Record<string, string>;
}

/**
 * The records of a file with a header row, in order; streams, so the file may be large.
 * @throws MissingColumnError naming the first of `required` that the header lacks.
 */
export async function* readCsv(file: string, required: readonly string[]): AsyncGenerator<CsvLine> {
  let headed = false;
  const checkHeader = (header: string[]): string[] => {
    headed = true;
    const missing = required.find((column) => !header.includes(column));
    if (missing === undefined) return header;
    throw new MissingColumnError(`${file} has no column "${missing}"`);
  };
  const parser = createReadStream(file).pipe(
    parse({
      columns: checkHeader,
      info: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  );
  for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
    yield { line: info.lines, cells: record };
  }
  if (!headed) checkHeader([]);
}

interface ParsedRecord {
  record: Record<string, string>;
  info: { lines: number };
}
