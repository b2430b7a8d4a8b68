// A table as CSV (RFC 4180), as spreadsheets write and read it: a byte order mark, a `sep=` line, commas, semicolons
// or tabs, padded headers, empty rows. Knows nothing about watches.

/** A row of a table: its cells by column, and the line on which it begins; line 1 is the file's first. */
export interface CsvRow {
  line: number;
  cells: Map<string, string>;
}

/** A fault with its line. */
export interface CsvFault {
  line: number;
  detail: string;
}

/** The header's names with their line, and the rows that have a cell with text. */
export interface CsvTable {
  names: string[];
  headerLine: number;
  rows: CsvRow[];
  faults: CsvFault[];
}

export const separators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof separators;

interface CsvRecord {
  record: string[];
  line: number;
}

/** A record of the library; `bytes` counts from the text's start to the record's end. */
interface ParsedRecord {
  record: string[];
  info: { bytes: number };
}

/** Reads a table with a header row. Names are in lower case, with `_` for spaces: "Event ID" is `event_id`. */
export async function readCsvTable(sent: string): Promise<CsvTable> {
  const { text, separator, linesBefore } = openText(sent);
  const parsed = await parse(text, separator);
  const at = ({ line, detail }: CsvFault) => ({ line: line + linesBefore, detail });
  if ('fault' in parsed) {
    return { names: [], headerLine: 1 + linesBefore, rows: [], faults: [at(parsed.fault)] };
  }
  const records = parsed.records.filter(({ record }) => record.some((cell) => cell.trim() !== ''));
  const [header = { record: [], line: 1 }, ...others] = records;
  const names = header.record.map(nameOf);
  const faults = others.flatMap((row) => unnamedFaults(names, row)).map(at);
  const rows = others.map(({ record, line }) => ({
    line: line + linesBefore,
    // Excel leaves out empty cells at the end of a row.
    cells: new Map(names.flatMap((name, index) => (name ? [[name, record[index] ?? '']] : []))),
  }));
  const headerLine = header.line + linesBefore;
  return { names: names.filter((name) => name !== ''), headerLine, rows, faults };
}

function nameOf(cell: string): string {
  return cell.trim().toLowerCase().replaceAll(/\s+/g, '_');
}

/** A cell with text in a column without a name may be a row that was cut in the wrong places. */
function unnamedFaults(names: readonly string[], { record, line }: CsvRecord): CsvFault[] {
  const index = record.findIndex((cell, at) => !names[at] && cell.trim() !== '');
  if (index < 0) return [];
  return [{ line, detail: `has text in column ${index + 1}, which has no name in the header` }];
}

/** The text without its byte order mark and its `sep=` line, and the separator. */
function openText(sent: string) {
  const marked = sent.startsWith('\uFEFF') ? sent.slice(1) : sent;
  const named = /^"?sep=([,;\t])"?[^\S\r\n\t]*(?:\r\n|\n|\r)/i.exec(marked);
  if (named?.[1]) {
    return { text: marked.slice(named[0].length), separator: named[1], linesBefore: 1 };
  }
  return { text: marked, separator: separatorOf(marked), linesBefore: 0 };
}

/** The separator that the first line with text has most often outside quotes; a comma if it has none. */
function separatorOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r|\n/, 1);
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return Object.values(separators).reduce((best, each) =>
    count(each) > count(best) ? each : best,
  );
}

async function parse(
  text: string,
  delimiter: string,
): Promise<{ records: CsvRecord[] } | { fault: CsvFault }> {
  // Imported here because only this request needs it.
  const { CsvError, parse: parseText } = await import('csv-parse/sync');
  try {
    const found = parseText(text, {
      ...{ delimiter, info: true, relax_column_count: true, skip_empty_lines: true },
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as ParsedRecord[];
    return { records: withLines(found, Buffer.from(text)) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: number }).lines ?? 1);
    return { fault: { line, detail: 'is not valid CSV: check its quotes' } };
  }
}

/** The library's count of lines takes a break of two characters in a quoted cell for two breaks. */
function withLines(found: readonly ParsedRecord[], bytes: Buffer): CsvRecord[] {
  let line = 1;
  let from = 0;
  return found.map(({ record, info }) => {
    const part = bytes.toString('utf8', from, info.bytes);
    const begins = line + breaksIn(/^[\r\n]*/.exec(part)?.[0] ?? '');
    line += breaksIn(part);
    from = info.bytes;
    return { record, line: begins };
  });
}

function breaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';

/**
 * What a spreadsheet does not keep as text: a formula; and what it rewrites when it saves the file, such as the rows
 * 1-10 (the tenth of January), the name 007 (7) or the section MAR1 (the first of March).
 */
const rewritten = [
  /^[=+\-@\t\r]/,
  /^\d{1,4}[-/.]\d{1,4}([-/.]\d{1,4})?$/,
  new RegExp(`^(\\d{1,2}[-/. ]?)?(${months})[a-z]*[-/. ]?(\\d{1,4})?$`, 'i'),
  /^\d{1,2}:\d\d(:\d\d)?( ?[ap]m)?$/i,
  /^(0\d+|\d{12,}|\d+(\.\d+)?e\d+|true|false)$/i,
];

function isRewritten(cell: string): boolean {
  return rewritten.some((form) => form.test(cell));
}

/** The cell as text in any spreadsheet: after an apostrophe, if it would be computed or rewritten. */
export function asText(cell: string): string {
  return isRewritten(cell.replace(/^'+/, '')) ? `'${cell}` : cell;
}

/** The text that `asText` was given. */
export function fromText(cell: string): string {
  return cell.startsWith("'") && isRewritten(cell.replace(/^'+/, '')) ? cell.slice(1) : cell;
}

/** Writes a table. @param options.isMarked begins it with a byte order mark, by which Excel knows UTF-8. */
export function writeCsv(
  rows: readonly (readonly string[])[],
  { separator = 'comma', isMarked = false }: { separator?: Separator; isMarked?: boolean } = {},
): string {
  const between = separators[separator];
  const lines = rows.map((cells) => `${cells.map(quoted).join(between)}\r\n`);
  return `${isMarked ? '\uFEFF' : ''}${lines.join('')}`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
