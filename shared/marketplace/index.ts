/**
 * The client's public surface, for users outside this repository. Anything else may change without
 * notice.
 */
export type { CallOptions } from './attempt-guard.ts';
export type { Charge, ChargeReason } from './charge.ts';
export { MarketplaceClient } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export * from './contract.ts';
export type { DailyCsv, DailyCsvOptions, DailyCsvRow } from './daily-csv.ts';
export * from './errors.ts';
export type { WaitOptions } from './event-add.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type {
  LegacyListingsOptions,
  ListingsOptions,
  ListingsPageOptions,
  ListingsResultPage,
} from './listings.ts';
export type { RateLimitReading } from './rate-limiter.ts';
export type { Account, RateLimits, Usage } from './reading/account.ts';
export type { EventAddJob, EventAddSubmitted } from './reading/event-add.ts';
export type { LegacyListings, Listing } from './reading/listings.ts';
export type { Sale } from './reading/sales.ts';
export type { LegacySalesBatch, SalesBatch } from './reading/sales-batch.ts';
export type { LegacySearchResult, MarketplaceEvent } from './reading/search.ts';
export type { StatsSnapshot } from './reading/stats.ts';
export type { EventRef } from './request-params.ts';
export type { Page, Result, ServiceClock } from './result.ts';
export type {
  LegacySalesOptions,
  SalesOptions,
  SalesPageOptions,
  SalesResultPage,
} from './sales.ts';
export type { BatchEvents, SalesBatchOptions } from './sales-batch.ts';
export type {
  LegacySearchFilter,
  SearchFilter,
  SearchOptions,
  SearchPageOptions,
} from './search.ts';
export type { StatsOptions, StatsPageOptions, StatsResultPage } from './stats.ts';
export type { Walk, WalkOptions, WalkRestart } from './walk.ts';
