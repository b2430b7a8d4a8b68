/**
 * The operator's import: reads CSV files of catalog, listings and sales and passes them to ingest.
 * Reports an unreadable line with its number and decides nothing else.
 */
import { type Ingest, RefusedObservationError } from '../ingest/ingest.ts';
import { type CsvLine, readCsv } from './csv-lines.ts';

export interface ImportFiles {
  catalog?: string | undefined;
  listings?: string | undefined;
  sales?: string | undefined;
}

export interface ImportSummary {
  events: number;
  snapshots: number;
  sales: number;
  salesInferred: number;
  /** Sets and sales that the file already had. */
  ignored: number;
  /** Skipped lines; `say` is called for each. */
  skippedLines: number;
}

interface Import {
  ingest: Ingest;
  summary: ImportSummary;
  say: (line: string) => void;
}

/**
 * Imports the given files, catalog first.
 * @throws MissingColumnError when a file lacks a required column.
 */
export async function importCsv(
  files: ImportFiles,
  o: { ingest: Ingest; say: (line: string) => void },
): Promise<ImportSummary> {
  const summary: ImportSummary = {
    events: 0,
    snapshots: 0,
    sales: 0,
    salesInferred: 0,
    ignored: 0,
    skippedLines: 0,
  };
  const run: Import = { ...o, summary };
  if (files.catalog !== undefined) await importCatalog(run, files.catalog);
  if (files.listings !== undefined) await importListings(run, files.listings);
  if (files.sales !== undefined) await importSales(run, files.sales);
  return summary;
}

async function importCatalog(run: Import, file: string): Promise<void> {
  const required = ['event_id', 'sh_event_id', 'event_name', 'event_date'];
  for await (const line of readCsv(file, required)) {
    handIn(run, { file, line: line.line, lines: 1 }, { events: [toEvent(line.cells)] });
  }
}

/**
 * Consecutive lines of one event, source and time form one set; a set with a bad line is skipped.
 */
async function importListings(run: Import, file: string): Promise<void> {
  const required = ['event_id', 'observed_at', 'listing_id', 'quantity', 'price'];
  let key = '';
  let lines: CsvLine[] = [];
  const finish = () => {
    const [first] = lines;
    if (!first) return;
    const set = { ...toSetHead(first.cells), listings: lines.map(({ cells }) => toListing(cells)) };
    handIn(run, { file, line: first.line, lines: lines.length }, { listing_sets: [set] });
  };
  for await (const line of readCsv(file, required)) {
    const { event_id, source, observed_at } = line.cells;
    const next = `${event_id} ${source} ${observed_at}`;
    if (next !== key) {
      finish();
      lines = [];
      key = next;
    }
    lines.push(line);
  }
  finish();
}

async function importSales(run: Import, file: string): Promise<void> {
  for await (const line of readCsv(file, ['event_id', 'listing_id', 'sold_at'])) {
    handIn(run, { file, line: line.line, lines: 1 }, { sales: [toSale(line.cells)] });
  }
}

function handIn(
  run: Import,
  where: { file: string; line: number; lines: number },
  observations: Record<string, unknown[]>,
): void {
  const { summary } = run;
  try {
    const taken = run.ingest.accept(observations);
    summary.events += taken.eventsAdded + taken.eventsUpdated;
    summary.snapshots += taken.snapshots;
    summary.sales += taken.sales;
    summary.salesInferred += taken.salesInferred;
    summary.ignored += taken.ignored;
  } catch (error) {
    if (!(error instanceof RefusedObservationError)) throw error;
    summary.skippedLines += where.lines;
    const lines = where.lines === 1 ? `line ${where.line}` : `lines ${where.line} and on`;
    run.say(`${where.file}: ${lines} skipped: ${error.message}`);
  }
}

/** An empty cell is a missing field; digits are a number; ingest validates anything else. */
function number(cell: string | undefined): number | string | undefined {
  if (cell === undefined || cell.trim() === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
}

function text(cell: string | undefined): string | undefined {
  return cell === undefined || cell === '' ? undefined : cell;
}

function toEvent(cells: Record<string, string>): unknown {
  return {
    event_id: number(cells.event_id),
    sh_event_id: number(cells.sh_event_id),
    vs_event_id: number(cells.vs_event_id),
    event_name: text(cells.event_name),
    alternate_names: text(cells.alternate_names)?.split('|'),
    event_date: text(cells.event_date),
    event_time: text(cells.event_time),
    tm_event_id: text(cells.tm_event_id),
    first_seen_date: text(cells.first_seen_date),
    std_event_id: number(cells.std_event_id),
    performer: text(cells.performer),
    event_type: text(cells.event_type),
    tour_name: text(cells.tour_name),
    raw_venue_name: text(cells.raw_venue_name),
    raw_venue_state: text(cells.raw_venue_state),
    raw_venue_city: text(cells.raw_venue_city),
    venue: cells.std_venue_id || cells.venue_name ? toVenue(cells) : undefined,
  };
}

function toVenue(cells: Record<string, string>): unknown {
  return {
    std_venue_id: number(cells.std_venue_id),
    venue_name: text(cells.venue_name),
    venue_city: cells.venue_city ?? '',
    venue_state: cells.venue_state ?? '',
    venue_state_name: text(cells.venue_state_name),
    venue_country_code: text(cells.venue_country_code),
    venue_country: text(cells.venue_country),
    venue_lat: number(cells.venue_lat),
    venue_lng: number(cells.venue_lng),
    venue_slug: text(cells.venue_slug),
    venue_tm_id: text(cells.venue_tm_id),
  };
}

function toSetHead(cells: Record<string, string>) {
  return {
    event_id: number(cells.event_id),
    source: text(cells.source),
    observed_at: text(cells.observed_at),
  };
}

/** Only `vs` ids are text, and a text id may look like a number. */
function toListing(cells: Record<string, string>): unknown {
  return {
    listing_id: cells.source === 'vs' ? cells.listing_id : number(cells.listing_id),
    zone: text(cells.zone),
    section: text(cells.section),
    row: text(cells.row),
    quantity: number(cells.quantity),
    price: number(cells.price),
    all_in_price: number(cells.all_in_price),
  };
}

function toSale(cells: Record<string, string>): unknown {
  return {
    event_id: number(cells.event_id),
    listing_id: number(cells.listing_id),
    sold_at: text(cells.sold_at),
    quantity: number(cells.quantity),
    price: number(cells.price),
    zone: text(cells.zone),
    section: text(cells.section),
    row: text(cells.row),
  };
}
