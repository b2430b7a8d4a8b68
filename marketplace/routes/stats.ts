/** GET /v1/events/{event_id}/stats: the time series; charged when it has a new snapshot. */
import { PAGE_LIMITS, statsPageSchema, statsQuerySchema } from '#shared/marketplace/contract.ts';
import { chargeThrough, paidThrough } from '../billing/ledger.ts';
import type { CatalogEvent } from '../catalog.ts';
import { InvalidParamError } from '../errors.ts';
import { answerRawJson, type Call, type Route, type RouteOperation } from '../http/operation.ts';
import { cutPage, type RowPage } from '../http/pages.ts';
import { parseQuery, requireEvent } from '../http/parse.ts';
import type { Store } from '../store/store.ts';

const operation: RouteOperation = {
  method: 'get',
  path: '/v1/events/{event_id}/stats',
  summary: 'Stats snapshots of an event, oldest first',
  bucket: 'events_stats',
  errors: 'envelope',
  access: 'api',
  query: statsQuerySchema,
  answer: { status: 200, schema: statsPageSchema, description: 'A page of snapshots' },
  refusals: [400, 402, 404],
};

interface SnapshotRow {
  at: number;
  body: string;
}

interface Span {
  eventId: number;
  after: number;
  before: number;
}

function answerStats(call: Call) {
  const query = parseQuery(statsQuerySchema, call);
  const id = Number(call.param('event_id'));
  const event = requireEvent(call, id, 'service');
  const span: Span = {
    eventId: event.id,
    after: query.start_date === undefined ? -1 : instantOf(query.start_date, 'start_date'),
    before:
      query.end_date === undefined
        ? Number.MAX_SAFE_INTEGER
        : instantOf(query.end_date, 'end_date'),
  };
  const limit = query.limit ?? PAGE_LIMITS.stats.default;
  const scope = `${call.account.id} stats ${id} ${span.after} ${span.before}`;
  const readFrom = (after: number): RowPage<SnapshotRow> =>
    cutPage(readSnapshots(call.service.store, { ...span, after }, limit + 1), {
      limit,
      cursors: call.service.cursors,
      scope,
      positionOf: (row) => [row.at],
    });
  if (query.starting_after === undefined) return answerFirstPage(call, { event, span, readFrom });
  const [after] = call.service.cursors.read(scope, query.starting_after);
  return writePage(event, readFrom(Number(after)), '');
}

/**
 * A date means its midnight, and a time without a zone is UTC (our choice; facts.md leaves it
 * open).
 */
function instantOf(value: string, param: string): number {
  const zoned = /^\d{4}-\d{2}-\d{2}$|[zZ]$|[+-]\d{2}:?\d{2}$/.test(value) ? value : `${value}Z`;
  const at = Date.parse(zoned);
  if (Number.isNaN(at)) throw new InvalidParamError(`${param}: not a date`, param);
  return at;
}

/**
 * Applies the billing table of the stats endpoint; an answer without a snapshot is never charged.
 */
function answerFirstPage(
  call: Call,
  o: { event: CatalogEvent; span: Span; readFrom: (after: number) => RowPage<SnapshotRow> },
) {
  const { store } = call.service;
  const pull = { accountId: call.account.id, kind: 'stats', eventId: o.event.id } as const;
  return store.transaction(() => {
    const page = o.readFrom(o.span.after);
    const newest = newestSnapshot(store, o.event.id);
    if (page.rows.length > 0 && newest > paidThrough(store, pull)) {
      chargeThrough(store, { ...pull, reason: 'new snapshots', at: call.now }, newest);
    }
    const zones = store.all<{ zone: string }>(
      'SELECT zone FROM event_zones WHERE event_id = ? ORDER BY zone',
      o.event.id,
    );
    const firstOnly = {
      available_zones: zones.map(({ zone }) => zone),
      total_count: countSnapshots(store, o.span),
    };
    return writePage(o.event, page, `${JSON.stringify(firstOnly).slice(1, -1)},`);
  });
}

function readSnapshots(store: Store, span: Span, limit: number): SnapshotRow[] {
  return store.all<SnapshotRow>(
    'SELECT at, body FROM snapshots WHERE event_id = ? AND at > ? AND at < ? ORDER BY at LIMIT ?',
    span.eventId,
    span.after,
    span.before,
    limit,
  );
}

function countSnapshots(store: Store, span: Span): number {
  return store.count(
    'SELECT count(*) AS tally FROM snapshots WHERE event_id = ? AND at > ? AND at < ?',
    span.eventId,
    span.after,
    span.before,
  );
}

function newestSnapshot(store: Store, eventId: number): number {
  const newest = store.get<{ at: number | null }>(
    'SELECT max(at) AS at FROM snapshots WHERE event_id = ?',
    eventId,
  );
  return newest?.at ?? -1;
}

/** Snapshots are stored as the served JSON, so a page joins their texts. */
function writePage(event: CatalogEvent, page: RowPage<SnapshotRow>, firstOnly: string) {
  const data = page.rows.map(({ body }) => body).join(',');
  return answerRawJson(
    `{"event_id":${event.id},${firstOnly}"data":[${data}],"has_more":${page.has_more},"next_cursor":${JSON.stringify(page.next_cursor)}}`,
  );
}

export const statsRoute: Route = { operation, handle: answerStats };
