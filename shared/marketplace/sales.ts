/**
 * The sales endpoints of one event, v1 and v0.x, with their charge. Each first page costs a pull,
 * so a call whose answer was lost is not repeated.
 */
import type { CallOptions } from './attempt-guard.ts';
import { FREE, salesCharge } from './charge.ts';
import { type LegacySale, type Sources, salesQuerySchema } from './contract/sales.ts';
import type { SourceFilter } from './contract/values.ts';
import { ENDPOINTS, endpointLabel, fillPath } from './endpoints.ts';
import { readLegacySales, readSalesPage, type Sale } from './reading/sales.ts';
import { type EventRef, encodeQuery, legacyEventQuery, resolveEventRef } from './request-params.ts';
import type { Page, Result } from './result.ts';
import type { Transport } from './transport.ts';
import { startWalk, type Walk, type WalkOptions } from './walk.ts';

const endpoint = ENDPOINTS.sales;

export interface SalesOptions extends CallOptions {
  /** Which marketplaces' rows to return. @default 'sh' */
  source?: SourceFilter | undefined;
  /** Rows per page, 1 to 200. @default 100 */
  limit?: number | undefined;
}

export interface SalesPageOptions extends SalesOptions {
  /** `nextCursor` of the page before, under the same `source`. */
  startingAfter?: string | undefined;
}

export interface SalesResultPage extends Page<Sale> {
  /** First page only: rows under the source filter. */
  totalCount: number | undefined;
  /** First page only: two entries, sh first. */
  sources: Sources | undefined;
}

/** One page of GET /v1/events/{event_id}/sales. */
export async function fetchSalesPage(
  transport: Transport,
  ref: EventRef,
  options: SalesPageOptions,
): Promise<SalesResultPage> {
  const { eventId, idType } = resolveEventRef(endpoint, ref);
  const isFirst = options.startingAfter === undefined;
  const { value, rateLimit, serviceClock } = await transport.json(
    {
      endpoint,
      path: fillPath(endpoint.path, { event_id: eventId }),
      query: encodeQuery(endpoint, salesQuerySchema, {
        id_type: idType,
        source: options.source,
        limit: options.limit,
        starting_after: options.startingAfter,
      }),
      repeat: isFirst ? endpoint.repeat : 'free',
      maxPulls: isFirst ? 1 : 0,
      options,
    },
    readSalesPage,
  );
  return {
    data: value.data,
    hasMore: value.has_more,
    nextCursor: value.next_cursor,
    totalCount: value.total_count,
    sources: value.sources,
    cost: isFirst ? salesCharge(value.data) : FREE,
    rateLimit,
    serviceClock,
  };
}

/** All sales, newest first, under one `source` and `limit`. A restart costs another pull. */
export function walkSales(
  transport: Transport,
  ref: EventRef,
  options: SalesOptions & WalkOptions,
): Walk<Sale, SalesResultPage> {
  return startWalk(transport.limits, options, {
    endpoint: endpointLabel(endpoint),
    fetchPage: (startingAfter) => fetchSalesPage(transport, ref, { ...options, startingAfter }),
    identify: identifySale,
  });
}

/**
 * Quantity and price may be filled in later, so they don't identify a sale; a listing may sell
 * twice.
 */
function identifySale(row: Sale): string {
  return JSON.stringify([row.source, row.timestamp, row.listing_id, row.section, row.row]);
}

export interface LegacySalesOptions extends CallOptions {
  /** @default 'v0.3' */
  version?: 'v0.1' | 'v0.2' | 'v0.3' | undefined;
}

/** GET /v0.3/salesdata/get: all sh sales of an event in one answer. */
export async function fetchLegacySales(
  transport: Transport,
  ref: EventRef,
  options: LegacySalesOptions,
): Promise<Result<LegacySale[]>> {
  const legacy = ENDPOINTS.legacySales;
  const { value, rateLimit, serviceClock } = await transport.json(
    {
      endpoint: legacy,
      path: fillPath(legacy.path, { version: options.version ?? 'v0.3' }),
      query: legacyEventQuery(legacy, ref),
      maxPulls: 1,
      options,
    },
    readLegacySales,
  );
  return { data: value, cost: salesCharge(value), rateLimit, serviceClock };
}
