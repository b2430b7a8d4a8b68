/** GET /v0.5/daily-csv/download: the catalog of a given day. Free, but needs a subscription. */
import {
  DAILY_CSV_COLUMNS,
  DAILY_CSV_MAX_AGE_DAYS,
  dailyCsvQuerySchema,
} from '#shared/marketplace/contract.ts';
import { toDate } from '../clock.ts';
import {
  answerJson,
  answerText,
  type Call,
  type Route,
  type RouteAnswer,
} from '../http/operation.ts';
import { searchEvents, toSearchItem } from '../search.ts';
import type { Store } from '../store/store.ts';

const dayMs = 24 * 60 * 60 * 1000;

function answerDailyCsv(call: Call): RouteAnswer {
  const { store, clocks } = call.service;
  const today = Date.parse(toDate(clocks.market()));
  const wanted = call.query.date;
  const day = wanted ? parseDay(wanted) : today;
  if (day === undefined) return answerText('Invalid date format. Use YYYYMMDD.', 400);
  if (day > today) return answerText('Cannot request future dates.', 400);
  if (today - day > DAILY_CSV_MAX_AGE_DAYS * dayMs) {
    return answerText('Cannot request dates older than 30 days.', 400);
  }
  if (!hasFile(store, day)) {
    return answerJson({ error: 'CSV file not found for requested date' }, 404);
  }
  call.service.requestLog.noteDownload({ accountId: call.account.id, at: call.now });
  return { status: 200, type: 'text/csv; charset=utf-8', body: writeCsv(store, day) };
}

/** UTC midnight of YYYYMMDD, or undefined when it is no date. */
function parseDay(text: string): number | undefined {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (!parts) return undefined;
  const date = `${parts[1]}-${parts[2]}-${parts[3]}`;
  const day = Date.parse(date);
  return Number.isNaN(day) || toDate(day) !== date ? undefined : day;
}

/** A file exists for each day since the first event was seen. */
function hasFile(store: Store, day: number): boolean {
  const seen = store.get('SELECT 1 FROM events WHERE first_seen_date <= ? LIMIT 1', toDate(day));
  return seen !== undefined;
}

/** Events seen by that day whose date is not before it, with one header row, RFC 4180. */
function writeCsv(store: Store, day: number): string {
  const date = toDate(day);
  const events = searchEvents(store, {
    filter: {},
    span: 'future',
    now: day,
  }).filter((event) => event.first_seen_date <= date);
  const lines = events.map((event) => {
    const item = toSearchItem(event, day);
    return DAILY_CSV_COLUMNS.map((column) => quote(item[column])).join(',');
  });
  return [DAILY_CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

function quote(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const dailyCsvRoute: Route = {
  operation: {
    method: 'get',
    path: '/v0.5/daily-csv/download',
    summary: 'The daily event catalog as CSV',
    bucket: 'daily_csv',
    errors: 'sentence',
    access: 'csv',
    // Only for the document: the handler words its own errors.
    query: dailyCsvQuerySchema,
    answer: { status: 200, type: 'text/csv', description: 'One header row, then the events' },
    refusals: [400, 404],
  },
  handle: answerDailyCsv,
};
