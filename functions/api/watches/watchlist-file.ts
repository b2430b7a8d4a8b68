// A watchlist as a file, JSON or CSV. Import reports every fault with its line before it changes
// anything; export writes files that import accepts.
import * as z from 'zod';
import type { Trouble } from '#shared/watchlist/trouble-table.ts';
import type { NewWatch, Watch } from '#shared/watchlist/watch.ts';
import { newWatchSchema } from '#shared/watchlist/watch.ts';
import { readStrictJson } from '../conventions/strict-json.ts';
import { type Fault, faultsIn } from '../faults.ts';
import { asText, fromText, readCsvTable, writeCsv } from './csv-table.ts';

/** Maximum number of watches in one file: at ten writes each they are made well within the API's 10 s. */
export const mostInFile = 200;

export const columns = [
  'event_id',
  'name',
  'tags',
  'channels',
  'latency_seconds',
  'fallback_channel',
  'rules',
] as const;

/** Columns that an export writes for people and an import ignores. */
const readOnlyColumns = ['trouble'] as const;

/** A fault of a file, with its line (CSV; line 1 is the header) or its row (JSON; from 0). */
export interface FileFault extends Fault {
  line: number;
}

/** A watch in a file, and its position. */
export interface FileRow {
  line: number;
  wanted: NewWatch;
}

export interface FileReading {
  rows: FileRow[];
  faults: FileFault[];
}

export const watchlistFileSchema = z
  .strictObject({
    watches: z
      .array(z.looseObject({}))
      .min(1)
      .max(mostInFile)
      .meta({ description: 'Each as in POST /v1/watches' }),
  })
  .meta({ id: 'WatchlistFile' });

/** Reads the rows of a JSON file; `line` is a row's number from 1. */
export function readJsonFile(file: z.infer<typeof watchlistFileSchema>): FileReading {
  const read = file.watches.map((row, index) =>
    readRow(row, index + 1, (pointer) => pointer.replace('#', `#/watches/${index}`)),
  );
  return joined(read);
}

/** Reads a CSV file with a header row; columns may come in any order. */
export async function readCsvFile(text: string): Promise<FileReading> {
  const { names, headerLine, rows, faults: broken } = await readCsvTable(text);
  const faults = [
    ...broken.map((fault) => ({ ...fault, pointer: '#' })),
    ...(broken.length === 0 || names.length > 0 ? headerFaults(names, headerLine) : []),
    ...(broken.length === 0 ? countFaults(rows.length, headerLine) : []),
  ];
  if (faults.length > 0) return { rows: [], faults };
  return joined(rows.map(({ cells, line }) => readCells(cells, line)));
}

function headerFaults(names: readonly string[], line: number): FileFault[] {
  const fault = (detail: string): FileFault => ({ line, pointer: '#', detail });
  const known: readonly string[] = [...columns, ...readOnlyColumns];
  const unknown = names.filter((name) => !known.includes(name));
  const missing = ['event_id', 'rules'].filter((name) => !names.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...unknown.map((name) =>
      fault(`"${name}" is not a known column; the columns are ${columns.join(', ')}`),
    ),
    ...missing.map((name) => fault(`column "${name}" is missing`)),
    ...twice.map((name) => fault(`column "${name}" appears twice`)),
  ];
}

function countFaults(rows: number, line: number): FileFault[] {
  if (rows >= 1 && rows <= mostInFile) return [];
  return [
    {
      line,
      pointer: '#',
      detail: `must have 1 to ${mostInFile} watches`,
      min: 1,
      max: mostInFile,
    },
  ];
}

/** Lists in a cell are separated by spaces; rules are JSON; an empty cell is an absent field. */
function readCells(cells: ReadonlyMap<string, string>, line: number): RowReading {
  const faults: FileFault[] = [];
  const row: Record<string, unknown> = {};
  for (const [name, raw] of cells) {
    const cell = raw.trim();
    if (cell === '' || readOnlyColumns.some((column) => column === name)) continue;
    const value = cellValue(name, cell);
    if (value === undefined) {
      faults.push({ line, pointer: `#/${name}`, detail: wantedIn[name] ?? 'is not valid' });
    } else row[name] = value;
  }
  if (faults.length > 0) return { faults };
  return readRow(row, line, (pointer) => pointer);
}

const wantedIn: Record<string, string> = {
  event_id: 'must be a whole number in plain digits',
  latency_seconds: 'must be a whole number in plain digits',
  rules: 'must be a rule, or a list of rules, in JSON',
};

function cellValue(name: string, cell: string): unknown {
  if (name === 'name') return fromText(cell);
  if (name === 'fallback_channel') return cell;
  if (name === 'tags' || name === 'channels') return cell.split(/\s+/);
  if (name === 'rules') return readRules(cell);
  return /^\d{1,15}$/.test(cell) ? Number(cell) : undefined;
}

function readRules(cell: string): unknown {
  const reading = readStrictJson(cell);
  if (!reading.ok) return undefined;
  return Array.isArray(reading.value) ? reading.value : [reading.value];
}

type RowReading = { row: FileRow } | { faults: FileFault[] };

function readRow(row: unknown, line: number, place: (pointer: string) => string): RowReading {
  const parsed = newWatchSchema.safeParse(row);
  if (parsed.success) return { row: { line, wanted: parsed.data } };
  const faults = faultsIn(parsed.error, { schema: newWatchSchema, input: row });
  return { faults: faults.map((fault) => ({ ...fault, line, pointer: place(fault.pointer) })) };
}

function joined(read: readonly RowReading[]): FileReading {
  return {
    rows: read.flatMap((each) => ('row' in each ? [each.row] : [])),
    faults: read.flatMap((each) => ('faults' in each ? each.faults : [])),
  };
}

/** A watch as a file stores it: its own settings, without inherited defaults. */
export function fileRow(watch: Watch): z.input<typeof newWatchSchema> {
  const { eventId, name, tags = [], rules, channelIds, latencySeconds, inherits = [] } = watch;
  const { fallbackChannelId } = watch;
  return {
    event_id: eventId,
    ...(name !== undefined && { name }),
    ...(tags.length > 0 && { tags }),
    rules: rules.map(({ rule }) => rule),
    ...(!inherits.includes('channels') && { channels: channelIds }),
    ...(!inherits.includes('latency_seconds') && { latency_seconds: latencySeconds }),
    ...(fallbackChannelId !== undefined && { fallback_channel: fallbackChannelId }),
  };
}

/** The watches as CSV, each with its troubles in words. Text that a spreadsheet would compute is kept text. */
export function csvFile(
  watches: readonly Watch[],
  troubles: ReadonlyMap<string, readonly Trouble[]> = new Map(),
  form: Parameters<typeof writeCsv>[1] = {},
): string {
  const lines = watches.map((watch) => {
    const row = fileRow(watch);
    const own = troubles.get(watch.watchId) ?? [];
    return [
      row.event_id,
      asText(row.name ?? ''),
      (row.tags ?? []).join(' '),
      (row.channels ?? []).join(' '),
      row.latency_seconds ?? '',
      row.fallback_channel ?? '',
      JSON.stringify(row.rules),
      asText(own.map(({ text }) => text).join(' ')),
    ].map(String);
  });
  return writeCsv([[...columns, ...readOnlyColumns], ...lines], form);
}
