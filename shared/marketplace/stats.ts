/**
 * GET /v1/events/{event_id}/stats: one page, or the whole series as a walk, with its charge.
 */
import type { CallOptions } from './attempt-guard.ts';
import { type Charge, countNewer, FREE, restartCharge, statsCharge } from './charge.ts';
import { statsQuerySchema } from './contract/stats.ts';
import { instantSchema } from './contract/values.ts';
import { ENDPOINTS, endpointLabel, fillPath } from './endpoints.ts';
import { readStatsPage, type StatsSnapshot } from './reading/stats.ts';
import { checkId, encodeQuery, invalid } from './request-params.ts';
import type { Page } from './result.ts';
import type { Transport } from './transport.ts';
import { startWalk, type Walk, type WalkOptions } from './walk.ts';

const endpoint = ENDPOINTS.stats;

export interface StatsOptions extends CallOptions {
  /** Only snapshots after this; ISO 8601 date or datetime, UTC where no zone is given. */
  startDate?: string | undefined;
  /** Only snapshots before this. */
  endDate?: string | undefined;
  /** Snapshots per page, 1 to 200. @default 100 */
  limit?: number | undefined;
  /**
   * Time of the newest paid snapshot, ISO 8601 with a zone; null when none was ever paid. Without
   * it the charge of a first page is only an upper bound.
   */
  lastPaidSnapshotAt?: string | null | undefined;
}

export interface StatsPageOptions extends StatsOptions {
  /** `nextCursor` of the page before. */
  startingAfter?: string | undefined;
}

export interface StatsResultPage extends Page<StatsSnapshot> {
  /** First page only. */
  availableZones: string[] | undefined;
  /** First page only: snapshots in the requested range. */
  totalCount: number | undefined;
  /** Attempts at this page that may have been served and charged, although no answer arrived. */
  lostAttempts: number;
}

type Metered = Omit<StatsResultPage, 'cost'>;

/** Fetches one page. Its `cost` is exact unless its reason is `possibly_charged`. */
export async function fetchStatsPage(
  transport: Transport,
  eventId: number,
  options: StatsPageOptions,
): Promise<StatsResultPage> {
  const meter = createStatsMeter(options);
  const page = await requestPage(transport, eventId, options);
  const cost = options.startingAfter === undefined ? meter()(page) : FREE;
  return { ...page, cost };
}

/** Walks the series, page after page, in the service's order. */
export function walkStats(
  transport: Transport,
  eventId: number,
  options: StatsOptions & WalkOptions,
): Walk<StatsSnapshot, StatsResultPage> {
  let openMeter: ReturnType<typeof createStatsMeter> | undefined;
  return startWalk<StatsSnapshot, StatsResultPage>(transport.limits, options, {
    endpoint: endpointLabel(endpoint),
    fetchPage: (startingAfter) => fetchStatsPage(transport, eventId, { ...options, startingAfter }),
    identify: (row) => row.timestamp,
    openMeter: () => {
      openMeter ??= createStatsMeter(options);
      return openMeter();
    },
  });
}

/**
 * The rows of a walk that its charge paid for: those that existed when its first page was answered. A
 * snapshot that appears while later pages are read comes with them, and is charged at the next call.
 * A snapshot that was sent twice counts once.
 * @param walk a walk of the series up to its newest snapshot, read to its end.
 * @returns in time order.
 */
export function paidStatsRows(
  walk: { readonly firstPage: Pick<StatsResultPage, 'totalCount'> | undefined },
  rows: readonly StatsSnapshot[],
): StatsSnapshot[] {
  const byTime = new Map(rows.map((row) => [Date.parse(row.timestamp), row]));
  const oldestFirst = [...byTime].sort(([a], [b]) => a - b).map(([, row]) => row);
  return oldestFirst.slice(0, walk.firstPage?.totalCount);
}

async function requestPage(transport: Transport, eventId: number, options: StatsPageOptions) {
  const { startingAfter } = options;
  const isFirst = startingAfter === undefined;
  const answer = await transport.json(
    {
      endpoint,
      path: fillPath(endpoint.path, { event_id: checkId(endpoint, 'event_id', eventId) }),
      query: encodeQuery(endpoint, statsQuerySchema, {
        start_date: options.startDate,
        end_date: options.endDate,
        limit: options.limit,
        starting_after: startingAfter,
      }),
      maxPulls: isFirst ? 1 : 0,
      options,
    },
    readStatsPage,
  );
  const { value, rateLimit, serviceClock, lostAttempts } = answer;
  return {
    data: value.data,
    oddRows: value.oddRows,
    hasMore: value.has_more,
    nextCursor: value.next_cursor,
    availableZones: value.available_zones,
    totalCount: value.total_count,
    rateLimit,
    serviceClock,
    lostAttempts,
  };
}

/**
 * Counts the cost of one walk's passes. The first pass pays for all snapshots that existed when it
 * began, so a later pass is charged only when the number of snapshots has grown since.
 */
function createStatsMeter(options: StatsOptions) {
  const lastPaidMs = parseLastPaid(options.lastPaidSnapshotAt);
  let settledCount: number | undefined;
  return () => {
    if (settledCount !== undefined) return meterOfRestart(options, settledCount);
    let first: Metered | undefined;
    let rowCount = 0;
    let newerCount = 0;
    return (page: Metered): Charge => {
      first ??= page;
      settledCount ??= page.totalCount;
      rowCount += page.data.length;
      newerCount += countNewer(page.data, lastPaidMs);
      return statsCharge({
        rowCount,
        newerCount,
        lastPaidMs,
        sawNewest: !page.hasMore && !hidesNewer(options, lastPaidMs),
        isEmptyEvent: first.availableZones?.length === 0,
        // Continuation pages are free, so only lost attempts at the first page count.
        lostAttempts: first.lostAttempts,
      });
    };
  };
}

function meterOfRestart(options: StatsOptions, settledCount: number) {
  let first: Metered | undefined;
  return (page: Metered): Charge => {
    first ??= page;
    return restartCharge({
      grownBy: Math.max(0, (first.totalCount ?? Number.POSITIVE_INFINITY) - settledCount),
      lostAttempts: first.lostAttempts,
      hidesNewer: options.endDate !== undefined,
    });
  };
}

/** Epoch ms; -Infinity for "never paid", undefined for "unknown". */
function parseLastPaid(at: string | null | undefined): number | undefined {
  if (at === undefined) return undefined;
  if (at === null) return Number.NEGATIVE_INFINITY;
  if (instantSchema.safeParse(at).success) return Date.parse(at);
  throw invalid(endpoint, 'lastPaidSnapshotAt', 'must be an ISO 8601 datetime with a zone');
}

/** Whether the requested range may exclude a snapshot newer than the last paid one. */
function hidesNewer(options: StatsOptions, lastPaidMs: number | undefined): boolean {
  if (options.endDate !== undefined) return true;
  if (options.startDate === undefined || lastPaidMs === undefined) return false;
  return parseUtc(options.startDate) > lastPaidMs;
}

/** The service reads a datetime without a zone as UTC, JavaScript as local time. */
function parseUtc(text: string): number {
  const hasZone = !text.includes('T') || /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  return Date.parse(hasZone ? text : `${text}Z`);
}
