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
import { setTimeout as wait } from 'node:timers/promises';
import { fetchAccount, fetchUsage } from './account.ts';
import type { CallOptions } from './attempt-guard.ts';
import {
  type Account,
  API_KEY_LENGTH,
  type Listing,
  type MarketplaceEvent,
  type StatsSnapshot,
  type Usage,
} from './contract.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import {
  fetchListingsPage,
  type ListingsOptions,
  type ListingsPageOptions,
  type ListingsResultPage,
  walkListings,
} from './listings.ts';
import { RateLimiter } from './rate-limiter.ts';
import { createRedactor } from './redact.ts';
import type { EventRef } from './request-params.ts';
import type { Page, Result } from './result.ts';
import {
  fetchSearchPage,
  type SearchOptions,
  type SearchPageOptions,
  walkSearch,
} from './search.ts';
import {
  fetchStatsPage,
  type StatsOptions,
  type StatsPageOptions,
  type StatsResultPage,
  walkStats,
} from './stats.ts';
import { Transport } from './transport.ts';
import type { Walk, WalkOptions } from './walk.ts';

export interface ClientOptions {
  /** Where the service is, with or without the `/api` prefix, such as `https://host/api`. */
  baseUrl: string;
  /** 64 characters. It appears in no error, log, inspection or JSON of the client. */
  apiKey: string;
  /** @default Node's own fetch, which keeps connections alive */
  fetch?: typeof fetch | undefined;
  /** Epoch milliseconds. @default Date.now */
  clock?: (() => number) | undefined;
  /** Waits, and rejects when the signal aborts. @default a timer */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** From [0, 1). @default Math.random */
  random?: (() => number) | undefined;
  limits?: Partial<Limits> | undefined;
}

/**
 * A client for one API key. Calls share its rate-limit counts, so use one client per key.
 *
 * Every call rejects with a `MarketplaceError` of the tree in errors.ts, or with the reason of the
 * caller's own signal when that aborts it.
 *
 * @example
 * const client = new MarketplaceClient({ baseUrl, apiKey });
 * const walk = client.stats(4711, { startDate: '2026-05-01', lastPaidSnapshotAt: null });
 * for await (const snapshot of walk) console.log(snapshot.timestamp, snapshot.get_in);
 * console.log(walk.cost.pulls);
 */
export class MarketplaceClient {
  readonly #transport: Transport;
  readonly #limiter = new RateLimiter();

  /** @throws TypeError when the base URL or the key can't be one; it quotes neither */
  constructor(options: ClientOptions) {
    this.#transport = new Transport({
      baseUrl: checkBaseUrl(options.baseUrl),
      apiKey: checkApiKey(options.apiKey),
      fetch: options.fetch ?? fetch,
      clock: options.clock ?? Date.now,
      sleep: options.sleep ?? defaultSleep,
      random: options.random ?? Math.random,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      limiter: this.#limiter,
      redact: createRedactor(options.apiKey),
    });
  }

  /** The series of an event; see `StatsOptions` for how its charge is told. */
  stats(
    eventId: number,
    options: StatsOptions & WalkOptions = {},
  ): Walk<StatsSnapshot, StatsResultPage> {
    return walkStats(this.#transport, eventId, options);
  }

  /** One page of `stats`. */
  statsPage(eventId: number, options: StatsPageOptions = {}): Promise<StatsResultPage> {
    return fetchStatsPage(this.#transport, eventId, options);
  }

  /** The listings of an event. */
  listings(
    event: EventRef,
    options: ListingsOptions & WalkOptions = {},
  ): Walk<Listing, ListingsResultPage> {
    return walkListings(this.#transport, event, options);
  }

  /** One page of `listings`. */
  listingsPage(event: EventRef, options: ListingsPageOptions = {}): Promise<ListingsResultPage> {
    return fetchListingsPage(this.#transport, event, options);
  }

  /** Events that match a filter. */
  search(
    options: SearchOptions & WalkOptions = {},
  ): Walk<MarketplaceEvent, Page<MarketplaceEvent>> {
    return walkSearch(this.#transport, options);
  }

  /** One page of `search`. */
  searchPage(options: SearchPageOptions = {}): Promise<Page<MarketplaceEvent>> {
    return fetchSearchPage(this.#transport, options);
  }

  /** The account; its rate-limit catalog is taken over into the client's own counts. */
  async account(options: CallOptions = {}): Promise<Result<Account>> {
    const result = await fetchAccount(this.#transport, options);
    this.#limiter.learn(result.data.rate_limits);
    return result;
  }

  /** Usage of the current billing cycle. */
  usage(options: CallOptions = {}): Promise<Result<Usage>> {
    return fetchUsage(this.#transport, options);
  }
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an absolute http or https URL');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function checkApiKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey) && apiKey.length === API_KEY_LENGTH) return apiKey;
  throw new TypeError(
    `apiKey must be ${API_KEY_LENGTH} printable characters, this one has ${apiKey.length}`,
  );
}

async function defaultSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal });
}
