/**
 * Sales of up to a hundred events at once, v1 and v0.3: serves the events that the account can pay.
 */
import {
  type BatchError,
  legacySalesBatchSchema,
  type SalesBatchBody,
  type SourceFilter,
  type Sources,
  salesBatchBodySchema,
  salesBatchQuerySchema,
  salesBatchSchema,
} from '#shared/marketplace/contract.ts';
import { chargePull } from '../billing/ledger.ts';
import { type CatalogEvent, findEvent } from '../catalog.ts';
import { InvalidParamError, PaymentError } from '../errors.ts';
import { answerJson, type Call, type Route } from '../http/operation.ts';
import { parseBody, parseQuery } from '../http/parse.ts';
import { readSales, type SaleRow, toLegacySale, toSale } from '../sales.ts';
import { describeSources } from '../source-status.ts';
import type { Store } from '../store/store.ts';

interface Served {
  event: CatalogEvent;
  rows: SaleRow[];
}

interface Outcome {
  /** Keyed by the id as sent. */
  served: Map<string, Served>;
  errors: Record<string, BatchError>;
}

/**
 * Serves the ids in the order sent, service ids first. An event given by both kinds of id is
 * charged once and answered under both keys (api.md, batch rules 2, 4 and 5).
 * @throws PaymentError when events had sales and the account could pay for none of them.
 */
function serveBatch(call: Call, filter: SourceFilter): Outcome {
  const body = parseBody(salesBatchBodySchema, call);
  const { store } = call.service;
  const ids = [
    ...(body.event_ids ?? []).map((id) => ({ id, kind: 'service' as const })),
    ...(body.event_ids_sh ?? []).map((id) => ({ id, kind: 'marketplace' as const })),
  ];
  refuseAmbiguousIds(store, body);
  return store.transaction(() => {
    const outcome: Outcome = { served: new Map(), errors: {} };
    const byEvent = new Map<number, Served | PaymentError>();
    for (const { id, kind } of ids) {
      const event = findEvent(store, id, kind);
      if (!event) {
        outcome.errors[id] = 'not_found';
        continue;
      }
      const result = byEvent.get(event.id) ?? serveOne(call, event, filter);
      byEvent.set(event.id, result);
      if (result instanceof PaymentError) outcome.errors[id] = 'payment_required';
      else outcome.served.set(String(id), result);
    }
    refuseWhenNothingPaid([...byEvent.values()]);
    return outcome;
  });
}

/**
 * The answer is keyed by the id alone, so an id in both lists must not mean two events.
 * @throws InvalidParamError before any charge.
 */
function refuseAmbiguousIds(store: Store, body: SalesBatchBody): void {
  const service = new Set(body.event_ids);
  const ambiguous = (body.event_ids_sh ?? []).find((id) => service.has(id) && isTwo(store, id));
  if (ambiguous === undefined) return;
  throw new InvalidParamError(
    `event_ids_sh: ${ambiguous} is in both lists and names two events, and the answer is keyed by the id alone; send two batches`,
    'event_ids_sh',
  );
}

function isTwo(store: Store, id: number): boolean {
  const byService = findEvent(store, id, 'service');
  const byMarketplace = findEvent(store, id, 'marketplace');
  return (
    byService !== undefined && byMarketplace !== undefined && byService.id !== byMarketplace.id
  );
}

function serveOne(call: Call, event: CatalogEvent, filter: SourceFilter): Served | PaymentError {
  const { store } = call.service;
  const rows = readSales(store, { eventId: event.id, filter });
  if (rows.length === 0) return { event, rows };
  try {
    chargePull(store, {
      accountId: call.account.id,
      kind: 'salesdata',
      eventId: event.id,
      reason: 'sales in a batch',
      at: call.now,
    });
  } catch (error) {
    if (error instanceof PaymentError) return error;
    throw error;
  }
  return { event, rows };
}

function refuseWhenNothingPaid(results: (Served | PaymentError)[]): void {
  const unpaid = results.filter((result) => result instanceof PaymentError);
  const paid = results.some(
    (result) => !(result instanceof PaymentError) && result.rows.length > 0,
  );
  const [first] = unpaid;
  if (!first || paid) return;
  const { code, balance } = first;
  throw new PaymentError({ code, balance, required: unpaid.length });
}

function answerBatch(call: Call) {
  const { source = 'sh' } = parseQuery(salesBatchQuerySchema, call);
  const { served, errors } = serveBatch(call, source);
  const results: Record<string, unknown> = {};
  const sources: Record<string, Sources> = {};
  for (const [id, { event, rows }] of served) {
    results[id] = rows.map(toSale);
    sources[id] = describeSources(call.service.store, event);
  }
  return answerJson({ results, errors, sources });
}

function answerLegacyBatch(call: Call) {
  const { served, errors } = serveBatch(call, 'sh');
  const results: Record<string, unknown> = {};
  for (const [id, { rows }] of served) results[id] = rows.map(toLegacySale);
  return answerJson({ results, errors });
}

export const salesBatchRoutes: readonly Route[] = [
  {
    operation: {
      method: 'post',
      path: '/v1/events/sales/batch',
      summary: 'Sales of up to 100 events',
      bucket: 'sales_batch',
      errors: 'envelope',
      access: 'api',
      query: salesBatchQuerySchema,
      body: salesBatchBodySchema,
      answer: { status: 200, schema: salesBatchSchema, description: 'Sales by id' },
      refusals: [400, 402],
    },
    handle: answerBatch,
  },
  {
    operation: {
      method: 'post',
      path: '/v0.3/salesdata/batch',
      summary: 'Sales of up to 100 events (legacy)',
      bucket: 'salesdata',
      errors: 'text',
      access: 'api',
      gzip: true,
      body: salesBatchBodySchema,
      answer: { status: 200, schema: legacySalesBatchSchema, description: 'Sales by id, gzip' },
      refusals: [400, 402],
    },
    handle: answerLegacyBatch,
  },
];
