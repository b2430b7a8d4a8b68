// A page of a list with filters: reads the owner's rows newest first until the page is full, the rows end, or
// as many were looked at as one request may. A page that is short or empty then says where to read on.
import { createHash } from 'node:crypto';
import type { Alert } from '#shared/alerts/alert.ts';
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import { invalidFaults } from './problem.ts';
import { eventIdParam, timeParam } from './query-params.ts';

interface Sorted {
  /** The row's place in the list: its time in ISO 8601, `#`, and its id. */
  ownerSort: string;
}

export interface Filter<Row, Found> {
  /** Times in epoch milliseconds: `since` is inclusive, `before` exclusive. */
  since?: number | undefined;
  before?: number | undefined;
  /** The row as the page shows it; undefined if the filter leaves it out. */
  keep: (row: Row) => Promise<Found | undefined>;
  /** The rows that one request reads at once, and in total. */
  rowsAtOnce: number;
  mostRows: number;
}

/** One page of the rows that a filter keeps, newest first. */
export async function filteredPage<Row extends Sorted, Found>(
  list: (page: PageRequest) => Promise<OwnedPage<Row>>,
  { limit, after }: PageRequest,
  { since, before, keep, rowsAtOnce, mostRows }: Filter<Row, Found>,
): Promise<OwnedPage<Found>> {
  const oldest = since === undefined ? '' : new Date(since).toISOString();
  const found: Found[] = [];
  let place = earlier(after, before === undefined ? undefined : new Date(before).toISOString());
  for (let looked = 0; looked < mostRows; ) {
    const page = await list({ limit: rowsAtOnce, after: place });
    const rows = page.rows.filter(({ ownerSort }) => ownerSort >= oldest);
    const kept = await Promise.all(rows.map(keep));
    for (const [index, row] of rows.entries()) {
      const shown = kept[index];
      // The next page begins after the row before this one, so that this row is its first.
      if (shown !== undefined && found.length === limit) return { rows: found, next: place ?? '' };
      if (shown !== undefined) found.push(shown);
      place = row.ownerSort;
    }
    if (page.next === undefined || rows.length < page.rows.length) return { rows: found };
    looked += page.rows.length;
  }
  return { rows: found, ...(place !== undefined && { next: place }) };
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** The time range of a list, and the event and watch that its rows are about. */
export const aboutParams = {
  watch_id: idSchema('watch')
    .optional()
    .meta({ description: 'Only those of this watch, also after it was deleted' }),
  event_id: eventIdParam.optional(),
  since: timeParam.optional().meta({ description: 'Only those from this time on' }),
  before: timeParam.optional().meta({ description: 'Only those before this time' }),
};

/** Whether an alert is about the watch and the event, where they are given. */
export function isOf(
  alert: Pick<Alert, 'watchId' | 'eventId'>,
  {
    watchId = alert.watchId,
    eventId = alert.eventId,
  }: { watchId?: string | undefined; eventId?: number | undefined },
): boolean {
  return alert.watchId === watchId && alert.eventId === eventId;
}

/** @throws ProblemError for a time range that is empty. */
export function requireRange({
  since,
  before,
}: {
  since?: number | undefined;
  before?: number | undefined;
}): void {
  if (since === undefined || before === undefined || since < before) return;
  throw invalidFaults([{ pointer: '#/since', detail: 'must be before `before`' }]);
}

/**
 * The rows that a request reads: without a filter every row is shown, so no more than the page are needed.
 * @param mark of the filters (`filterMark`).
 */
export function boundsOf(
  mark: string,
  filtered: Pick<Filter<never, never>, 'rowsAtOnce' | 'mostRows'>,
  { limit }: PageRequest,
): typeof filtered {
  return mark === '' ? { rowsAtOnce: limit, mostRows: limit } : filtered;
}

/** The fields of a query that say which page is asked for, not which rows. */
const ofPage = new Set(['limit', 'starting_after']);

/** Stands for the filters of a query in its cursors; empty without filters. */
export function filterMark(query: object): string {
  const filters = Object.entries(query).filter(([name]) => !ofPage.has(name));
  const given = filters.filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  const sorted = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 12);
}
