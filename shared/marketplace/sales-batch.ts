/**
 * The two batch sales endpoints. A batch is one billed POST without an idempotency key, so it is
 * never repeated; an event that can't be served is data, not an error.
 */
import type { CallOptions } from './attempt-guard.ts';
import { batchCharge } from './charge.ts';
import { salesBatchBodySchema, salesBatchQuerySchema } from './contract/batch.ts';
import type { SourceFilter } from './contract/values.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import {
  type LegacySalesBatch,
  readLegacySalesBatch,
  readSalesBatch,
  type SalesBatch,
} from './reading/sales-batch.ts';
import { check, encodeQuery, invalid } from './request-params.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Events of a batch: at most 100 over both lists; duplicates within a list count once. */
export interface BatchEvents {
  /** Service event ids: integers, or strings of digits. */
  eventIds?: readonly (number | string)[] | undefined;
  /** Marketplace event ids. */
  marketplaceEventIds?: readonly (number | string)[] | undefined;
}

export interface SalesBatchOptions extends CallOptions {
  /** Which marketplaces' rows to return. @default 'sh' */
  source?: SourceFilter | undefined;
}

/** POST /v1/events/sales/batch. */
export async function fetchSalesBatch(
  transport: Transport,
  events: BatchEvents,
  options: SalesBatchOptions,
): Promise<Result<SalesBatch>> {
  const endpoint = ENDPOINTS.salesBatch;
  const batch = prepareBatch(endpoint, events);
  const query = encodeQuery(endpoint, salesBatchQuerySchema, { source: options.source });
  const { value, rateLimit, serviceClock } = await transport.json(
    { endpoint, path: endpoint.path, query, body: batch.body, maxPulls: batch.size, options },
    readSalesBatch,
  );
  return {
    data: value,
    cost: batchCharge({ results: value.results, ...batch }),
    rateLimit,
    serviceClock,
  };
}

/** POST /v0.3/salesdata/batch. */
export async function fetchLegacySalesBatch(
  transport: Transport,
  events: BatchEvents,
  options: CallOptions,
): Promise<Result<LegacySalesBatch>> {
  const endpoint = ENDPOINTS.legacySalesBatch;
  const batch = prepareBatch(endpoint, events);
  const { value, rateLimit, serviceClock } = await transport.json(
    { endpoint, path: endpoint.path, body: batch.body, maxPulls: batch.size, options },
    readLegacySalesBatch,
  );
  return {
    data: value,
    cost: batchCharge({ results: value.results, ...batch }),
    rateLimit,
    serviceClock,
  };
}

interface PreparedBatch {
  body: { event_ids?: number[]; event_ids_sh?: number[] };
  serviceKeys: string[];
  marketplaceKeys: string[];
  /** Events requested: the upper bound of the call's pulls. */
  size: number;
}

function prepareBatch(endpoint: Endpoint, events: BatchEvents): PreparedBatch {
  const { eventIds = [], marketplaceEventIds = [] } = events;
  check(endpoint, salesBatchBodySchema, {
    event_ids: eventIds,
    event_ids_sh: marketplaceEventIds,
  });
  const service = [...new Set(eventIds.map(Number))];
  const marketplace = [...new Set(marketplaceEventIds.map(Number))];
  const shared = service.find((id) => marketplace.includes(id));
  if (shared !== undefined) {
    const problem = `${shared} is in both lists, and the answer is keyed by the id alone: use two calls`;
    throw invalid(endpoint, 'event_ids', problem);
  }
  return {
    body: {
      ...(service.length > 0 ? { event_ids: service } : {}),
      ...(marketplace.length > 0 ? { event_ids_sh: marketplace } : {}),
    },
    serviceKeys: service.map(String),
    marketplaceKeys: marketplace.map(String),
    size: service.length + marketplace.length,
  };
}
