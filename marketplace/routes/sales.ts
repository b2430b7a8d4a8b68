/** Sales of one event: v1 pages and the whole v0.3 array. A first page with a sale costs a pull. */
import {
  legacyEventQuerySchema,
  legacySalesSchema,
  PAGE_LIMITS,
  type SalesPage,
  salesPageSchema,
  salesQuerySchema,
} from '#shared/marketplace/contract.ts';
import { chargePull } from '../billing/ledger.ts';
import { answerJson, type Call, type Route, type RouteOperation } from '../http/operation.ts';
import { cutPage } from '../http/pages.ts';
import { parseQuery, requireEvent, requireLegacyEvent } from '../http/parse.ts';
import {
  countSales,
  readSales,
  type SalesPosition,
  salesPositionOf,
  toLegacySale,
  toSale,
} from '../sales.ts';
import { describeSources } from '../source-status.ts';

const operation: RouteOperation = {
  method: 'get',
  path: '/v1/events/{event_id}/sales',
  summary: 'Sales of an event, newest first',
  bucket: 'sales',
  errors: 'envelope',
  access: 'api',
  query: salesQuerySchema,
  answer: { status: 200, schema: salesPageSchema, description: 'A page of sales' },
  refusals: [400, 402, 404],
};

function answerSales(call: Call) {
  const query = parseQuery(salesQuerySchema, call);
  const id = Number(call.param('event_id'));
  const event = requireEvent(call, id, query.id_type ?? 'service');
  const filter = query.source ?? 'sh';
  const limit = query.limit ?? PAGE_LIMITS.sales.default;
  const { store, cursors } = call.service;
  const scope = `${call.account.id} sales ${query.id_type ?? 'service'} ${id} ${filter}`;
  const readFrom = (position?: SalesPosition): SalesPage => {
    const read = readSales(store, { eventId: event.id, filter, position, limit: limit + 1 });
    const page = cutPage(read, { limit, cursors, scope, positionOf: salesPositionOf });
    return {
      event_id: id,
      data: page.rows.map(toSale),
      has_more: page.has_more,
      next_cursor: page.next_cursor,
    };
  };
  if (query.starting_after !== undefined) {
    const [soldAt, rank, rowId] = cursors.read(scope, query.starting_after).map(Number);
    return answerJson(readFrom([soldAt ?? 0, rank ?? 0, rowId ?? 0]));
  }
  return store.transaction(() => {
    const page = readFrom();
    if (page.data.length > 0) chargeSales(call, event.id);
    return answerJson({
      ...page,
      total_count: countSales(store, { eventId: event.id, filter }),
      sources: describeSources(store, event),
    });
  });
}

/** One pull, whatever the source (api.md, sales rule 4). */
function chargeSales(call: Call, eventId: number): void {
  chargePull(call.service.store, {
    accountId: call.account.id,
    kind: 'salesdata',
    eventId,
    reason: 'sales of one event',
    at: call.now,
  });
}

function answerLegacySales(call: Call) {
  const event = requireLegacyEvent(call);
  const { store } = call.service;
  return store.transaction(() => {
    const rows = readSales(store, { eventId: event.id, filter: 'sh' });
    if (rows.length > 0) chargeSales(call, event.id);
    return answerJson(rows.map(toLegacySale));
  });
}

function legacyRoute(version: 'v0.1' | 'v0.2' | 'v0.3'): Route {
  return {
    operation: {
      method: 'get',
      path: `/${version}/salesdata/get`,
      summary: 'All sh sales of an event (legacy)',
      description:
        'Exactly one of event_id and event_id_sh must be given: both or neither is a 400.',
      bucket: 'salesdata',
      errors: 'text',
      access: 'api',
      gzip: true,
      query: legacyEventQuerySchema,
      answer: { status: 200, schema: legacySalesSchema, description: 'All sales, gzip' },
      refusals: [400, 402],
    },
    handle: answerLegacySales,
  };
}

export const salesRoutes: readonly Route[] = [
  { operation, handle: answerSales },
  legacyRoute('v0.1'),
  legacyRoute('v0.2'),
  legacyRoute('v0.3'),
];
