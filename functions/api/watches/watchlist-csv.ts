// Reads a watchlist as CSV: plain columns for what most rules say, channels by name, and the column `rules` in JSON for
// what plain columns can't say.
import { groupThousands } from '#shared/rules/words/words.ts';
import { readStrictJson } from '../conventions/strict-json.ts';
import type { ChannelNames } from './channel-names.ts';
import { type CsvRow, fromText, readCsvTable } from './csv-table.ts';
import {
  type ColumnFault,
  type PlainCells,
  type PlainColumn,
  plainColumns,
  rulesOfPlain,
} from './plain-rules.ts';
import {
  checked,
  type FileFault,
  type FileReading,
  type FileRow,
  mostInFile,
  placeInCsv,
} from './watchlist-file.ts';

export const columns = [
  ...['id', 'event_id', 'event', 'date'],
  ...plainColumns,
  ...['channels', 'tags', 'latency_seconds', 'name', 'fallback_channel', 'rules'],
] as const;

/** Columns that an export writes for people and an import ignores. */
export const readOnlyColumns = [
  ...(['state', 'value', 'distance_percent'] as const),
  ...(['bought_at', 'price_paid', 'last_alert_at', 'trouble'] as const),
];

/** Reads a CSV file with a header row; columns may come in any order, and all but the event and the rules may be absent. */
export async function readCsvFile(text: string, channels: ChannelNames): Promise<FileReading> {
  const { names, headerLine, rows, faults: broken } = await readCsvTable(text);
  const isOpen = broken.length === 0 || names.length > 0;
  const faults = [
    ...broken.map((fault) => ({ ...fault, pointer: '#' })),
    ...(isOpen ? headerFaults(names, headerLine) : []),
    ...(broken.length === 0 ? countFaults(rows.length, headerLine) : []),
  ];
  if (faults.length > 0) return { rows: [], faults };
  const read = rows.map((row) => readRow(row, channels));
  const { rows: good, faults: idFaults } = checked(read.flatMap((each) => each.row ?? []));
  return { rows: good, faults: [...read.flatMap((each) => each.faults), ...idFaults] };
}

function headerFaults(names: readonly string[], line: number): FileFault[] {
  const fault = (detail: string): FileFault => ({ line, pointer: '#', detail });
  const known: readonly string[] = [...columns, ...readOnlyColumns];
  const unknown = names.filter((name) => !known.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const hasEvent = names.includes('event_id') || names.includes('id') || names.includes('event');
  const hasRules = ['id', 'rules', 'at_or_below', 'drop_percent'].some((name) =>
    names.includes(name),
  );
  return [
    ...unknown.map((name) =>
      fault(`"${name}" is not a known column; the columns are ${columns.join(', ')}`),
    ),
    ...(hasEvent ? [] : [fault('column "event_id" is missing, or "event" with "date"')]),
    ...(hasRules ? [] : [fault('column "rules" is missing, or "at_or_below" or "drop_percent"')]),
    ...twice.map((name) => fault(`column "${name}" appears twice`)),
  ];
}

function countFaults(rows: number, line: number): FileFault[] {
  if (rows >= 1 && rows <= mostInFile) return [];
  const detail =
    rows === 0
      ? 'has no rows below the header'
      : `must have at most ${groupThousands(mostInFile)} rows, and has ${groupThousands(rows)}`;
  return [{ line, pointer: '#', detail, min: 1, max: mostInFile }];
}

interface RowReading {
  row?: FileRow;
  faults: FileFault[];
}

function readRow({ line, cells }: CsvRow, channels: ChannelNames): RowReading {
  const given = new Map([...cells].map(([name, cell]) => [name, cell.trim()]));
  const text = (name: string) => given.get(name) || undefined;
  const faults: ColumnFault[] = [];
  const fields: Record<string, unknown> = {};
  for (const [column, read] of Object.entries(readers)) {
    const cell = text(column);
    if (cell === undefined) continue;
    const reading = read(cell, channels);
    if ('detail' in reading) faults.push({ column, detail: reading.detail });
    else fields[column] = reading.value;
  }
  const rules = rulesOf(text);
  if ('faults' in rules) faults.push(...rules.faults);
  else if (rules.rules.length > 0) fields.rules = rules.rules;
  else if (text('id') === undefined) {
    faults.push({
      column: 'at_or_below',
      detail: 'is empty: write a price, drop_percent or rules',
    });
  }
  const [name, date] = [text('event'), text('date')];
  const hasId = text('event_id') !== undefined || text('id') !== undefined;
  if (!hasId && (name === undefined || date === undefined)) {
    faults.push({
      column: 'event_id',
      detail: 'is empty: write the event’s id, or event and date',
    });
  }
  if (faults.length > 0) {
    return {
      faults: faults.map(({ column, detail }) => ({ line, pointer: `#/${column}`, detail })),
    };
  }
  const empty = [...given].flatMap(([column, cell]) => (cell === '' ? [column] : []));
  const isByName = text('event_id') === undefined && name !== undefined && date !== undefined;
  const row: FileRow = {
    ...{ line, id: text('id'), fields, empty, place: placeInCsv },
    ...(isByName && { event: { name: fromText(name), date } }),
  };
  return { row, faults: [] };
}

type CellReading = { value: unknown } | { detail: string };

const wholeNumber = (cell: string): CellReading =>
  /^\d{1,15}$/.test(cell)
    ? { value: Number(cell) }
    : { detail: 'must be a whole number in plain digits' };

/** How each column that is a field of a watch is read. */
const readers: Record<string, (cell: string, channels: ChannelNames) => CellReading> = {
  event_id: wholeNumber,
  latency_seconds: wholeNumber,
  name: (cell) => ({ value: fromText(cell) }),
  tags: (cell) => ({
    value: fromText(cell)
      .split(/[\s,;]+/)
      .filter((tag) => tag !== ''),
  }),
  channels: (cell, channels) => {
    const found = channels.ids(fromText(cell));
    return 'detail' in found ? found : { value: found.ids };
  },
  fallback_channel: (cell, channels) => {
    const found = channels.ids(fromText(cell));
    if ('detail' in found) return found;
    return found.ids.length === 1 ? { value: found.ids[0] } : { detail: 'must be one channel' };
  },
};

/** Either the plain columns or `rules` say the rules of a row: if both did, one of them would be wrong after a change. */
function rulesOf(text: (name: string) => string | undefined) {
  const plain: PlainCells = {};
  for (const column of plainColumns) {
    const cell = text(column);
    if (cell !== undefined) plain[column] = fromText(cell);
  }
  const [first] = Object.keys(plain) as PlainColumn[];
  const cell = text('rules');
  if (cell === undefined) return rulesOfPlain(plain);
  if (first !== undefined) {
    const detail = `says the rules of this row, and so does ${first}: empty one of the two`;
    return { faults: [{ column: 'rules', detail }] };
  }
  const reading = readStrictJson(cell);
  if (reading.ok) return { rules: Array.isArray(reading.value) ? reading.value : [reading.value] };
  const detail = 'must be a rule, or a list of rules, in JSON';
  return { faults: [{ column: 'rules', detail }] };
}
