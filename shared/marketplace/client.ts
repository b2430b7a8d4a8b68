/**
 * The client of the marketplace data service: every endpoint as a typed call, with its cost. Owns no
 * schedule, budget or storage, and reads no environment: everything comes in by the constructor.
 *
 * What each endpoint costs, in pulls (api.md, Charge per endpoint), and how it is retried:
 *
 * | Call | Endpoint | Charge | Retried after |
 * |---|---|---|---|
 * | `stats`, `statsPage` | GET /v1/events/{event_id}/stats | 1 when a newer snapshot than the last paid one exists; continuation pages free | any transient fault: the repeat is free once the pull is recorded |
 * | `listings`, `listingsPage` | GET /v1/events/{event_id}/listings | 1 when refreshed since the last charged pull, 0 when the filter leaves nothing; continuation pages free | any transient fault, as above |
 * | `legacyListings` | GET /v0.1.1/listings/get (v0.1) | as listings; refresh state is shared | any transient fault, as above |
 * | `sales`, `salesPage` | GET /v1/events/{event_id}/sales | 1 when there is a sale; continuation pages free | first page: only when certainly not served; continuation: any transient fault |
 * | `legacySales` | GET /v0.3/salesdata/get (v0.1, v0.2) | 1 when there is a sale | only when certainly not served |
 * | `salesBatch` | POST /v1/events/sales/batch | 1 per event with a sale | never |
 * | `legacySalesBatch` | POST /v0.3/salesdata/batch | 1 per event with a sale | never |
 * | `search`, `searchPage` | GET /v1/events/search | 0 | any transient fault |
 * | `legacySearch` | POST /v0.3.1/events/search | 0 | any transient fault |
 * | `account`, `usage` | GET /v1/account, GET /v1/usage | 0 | any transient fault |
 * | `addEvents` | POST /v0.4/events/event-request-add | 0 | never: it would add a second job |
 * | `eventAddJob`, `waitForEventAddJob` | GET /v0.4/events/event-request-status/{job_id}/ | 0 | any transient fault |
 * | `dailyCsv` | GET /v0.5/daily-csv/download | 0 | any transient fault before the first byte |
 *
 * Transient faults: connection faults, timeouts, 408, 425, 429, 502, 503, 504, and a 2xx that can't
 * be read (HTML, empty, cut). Certainly not served: nothing was sent, 408, 425 or 429.
 */
import * as account from './account.ts';
import type { CallOptions } from './attempt-guard.ts';
import { type ClientOptions, completeOptions } from './client-options.ts';
import type { LegacySale } from './contract/sales.ts';
import * as csv from './daily-csv.ts';
import * as eventAdd from './event-add.ts';
import * as listings from './listings.ts';
import type { Account, Usage } from './reading/account.ts';
import type { EventAddJob, EventAddSubmitted } from './reading/event-add.ts';
import type { LegacyListings, Listing } from './reading/listings.ts';
import type { Sale } from './reading/sales.ts';
import type { LegacySalesBatch, SalesBatch } from './reading/sales-batch.ts';
import type { LegacySearchResult, MarketplaceEvent } from './reading/search.ts';
import type { StatsSnapshot } from './reading/stats.ts';
import type { EventRef } from './request-params.ts';
import type { Page, Result } from './result.ts';
import * as sales from './sales.ts';
import * as batch from './sales-batch.ts';
import * as search from './search.ts';
import * as stats from './stats.ts';
import { Transport } from './transport.ts';
import type { Walk, WalkOptions } from './walk.ts';

/**
 * A client for one API key. Calls share its rate-limit counts, so use one client per key.
 *
 * Every call rejects with a `MarketplaceError` of errors.ts, or with the reason of the caller's
 * signal when that aborts the call.
 *
 * @example
 * const client = new MarketplaceClient({ baseUrl, apiKey });
 * const walk = client.stats(4711, { startDate: '2026-05-01', lastPaidSnapshotAt: null });
 * for await (const snapshot of walk) console.log(snapshot.timestamp, snapshot.get_in);
 * console.log(walk.cost.pulls);
 */
export class MarketplaceClient {
  readonly #transport: Transport;

  /**
   * @throws TypeError when the base URL, the key or a limit is invalid; it quotes neither key nor
   * URL
   */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(completeOptions(options));
  }

  /** The stats series of an event; `StatsOptions` explains how its charge is computed. */
  stats(
    eventId: number,
    options: stats.StatsOptions & WalkOptions = {},
  ): Walk<StatsSnapshot, stats.StatsResultPage> {
    return stats.walkStats(this.#transport, eventId, options);
  }

  /** One page of `stats`. */
  statsPage(eventId: number, options: stats.StatsPageOptions = {}): Promise<stats.StatsResultPage> {
    return stats.fetchStatsPage(this.#transport, eventId, options);
  }

  /** The listings of an event. */
  listings(
    event: EventRef,
    options: listings.ListingsOptions & WalkOptions = {},
  ): Walk<Listing, listings.ListingsResultPage> {
    return listings.walkListings(this.#transport, event, options);
  }

  /** One page of `listings`. */
  listingsPage(
    event: EventRef,
    options: listings.ListingsPageOptions = {},
  ): Promise<listings.ListingsResultPage> {
    return listings.fetchListingsPage(this.#transport, event, options);
  }

  /** Events that match a filter. */
  search(
    options: search.SearchOptions & WalkOptions = {},
  ): Walk<MarketplaceEvent, Page<MarketplaceEvent>> {
    return search.walkSearch(this.#transport, options);
  }

  /** One page of `search`. */
  searchPage(options: search.SearchPageOptions = {}): Promise<Page<MarketplaceEvent>> {
    return search.fetchSearchPage(this.#transport, options);
  }

  /** The sales of an event. */
  sales(
    event: EventRef,
    options: sales.SalesOptions & WalkOptions = {},
  ): Walk<Sale, sales.SalesResultPage> {
    return sales.walkSales(this.#transport, event, options);
  }

  /** One page of `sales`. */
  salesPage(event: EventRef, options: sales.SalesPageOptions = {}): Promise<sales.SalesResultPage> {
    return sales.fetchSalesPage(this.#transport, event, options);
  }

  /** All sales of up to 100 events; events that can't be served are in `data.errors`. */
  salesBatch(
    events: batch.BatchEvents,
    options: batch.SalesBatchOptions = {},
  ): Promise<Result<SalesBatch>> {
    return batch.fetchSalesBatch(this.#transport, events, options);
  }

  /** v0.x: all sh sales of an event. */
  legacySales(
    event: EventRef,
    options: sales.LegacySalesOptions = {},
  ): Promise<Result<LegacySale[]>> {
    return sales.fetchLegacySales(this.#transport, event, options);
  }

  /** v0.3: all sh sales of up to 100 events. */
  legacySalesBatch(
    events: batch.BatchEvents,
    options: CallOptions = {},
  ): Promise<Result<LegacySalesBatch>> {
    return batch.fetchLegacySalesBatch(this.#transport, events, options);
  }

  /** v0.x: all listings of an event. */
  legacyListings(
    event: EventRef,
    options: listings.LegacyListingsOptions = {},
  ): Promise<Result<LegacyListings>> {
    return listings.fetchLegacyListings(this.#transport, event, options);
  }

  /** v0.3.1: superseded by `search`. */
  legacySearch(
    options: search.LegacySearchFilter & CallOptions = {},
  ): Promise<Result<LegacySearchResult>> {
    return search.fetchLegacySearch(this.#transport, options);
  }

  /** Asks the service to search for events and add them; at most five jobs at once. */
  addEvents(searchQuery: string, options: CallOptions = {}): Promise<Result<EventAddSubmitted>> {
    return eventAdd.submitEventAdd(this.#transport, searchQuery, options);
  }

  /** The state of an event-add job. */
  eventAddJob(jobId: string, options: CallOptions = {}): Promise<Result<EventAddJob>> {
    return eventAdd.fetchEventAddJob(this.#transport, jobId, options);
  }

  /** Waits until an event-add job ends, with success or failure. */
  waitForEventAddJob(
    jobId: string,
    options: eventAdd.WaitOptions = {},
  ): Promise<Result<EventAddJob>> {
    return eventAdd.waitForEventAdd(this.#transport, jobId, options);
  }

  /** Starts the download of the daily event catalog. */
  dailyCsv(options: csv.DailyCsvOptions = {}): Promise<csv.DailyCsv> {
    return csv.openDailyCsv(this.#transport, options);
  }

  /** Reads the account and applies its rate limits to the client's calls. */
  account(options: CallOptions = {}): Promise<Result<Account>> {
    return account.fetchAccount(this.#transport, options);
  }

  /** Usage of the current billing cycle. */
  usage(options: CallOptions = {}): Promise<Result<Usage>> {
    return account.fetchUsage(this.#transport, options);
  }
}
