/**
 * The description of a route: path, rate-limit bucket, error style and schemas. The request
 * pipeline and the OpenAPI document both read it, so they can't differ.
 */

import type * as z from 'zod';
import type { RateLimitBucket } from '#shared/marketplace/contract.ts';
import type { BillingAccount } from '../billing/accounts.ts';
import type { RequestLog } from '../billing/usage.ts';
import type { Clocks } from '../clock.ts';
import type { Cursors } from '../cursors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Jobs } from '../jobs.ts';
import type { BucketLimiter, RateLimitCatalog, RateLimitState } from '../rate-limits.ts';
import type { ListingPages } from '../routes/listing-pages.ts';
import type { Store } from '../store/store.ts';

/** The parts of the service that a handler may use. */
export interface Service {
  store: Store;
  clocks: Clocks;
  cursors: Cursors;
  limiter: BucketLimiter;
  rateLimits: RateLimitCatalog;
  requestLog: RequestLog;
  listingPages: ListingPages;
  ingest: Ingest;
  jobs: Jobs;
}

/** `envelope`: v1 JSON; `text`: plain text (v0.1 to v0.3); `sentence`: `{"error": …}` (v0.4, v0.5). */
export type ErrorStyle = 'envelope' | 'text' | 'sentence';

export interface RouteOperation {
  method: 'get' | 'post' | 'put';
  /** Path as in OpenAPI, without the `/api` prefix. */
  path: string;
  summary: string;
  description?: string;
  /** Absent when the route's calls count in no bucket. */
  bucket?: RateLimitBucket;
  /** The limit that a route without a bucket reports; without an account, an unused one. */
  describeLimit?: (service: Service, accountId: number | undefined, now: number) => RateLimitState;
  errors: ErrorStyle;
  /** `csv` also needs the daily CSV subscription; `operator` needs the operator's key. */
  access: 'api' | 'csv' | 'operator';
  /** Always encoded with gzip, whatever the client accepts. */
  gzip?: boolean;
  /** For the document: path parameters that have their own schema. */
  params?: Record<string, z.ZodType>;
  query?: z.ZodType;
  body?: z.ZodType;
  maxBodyBytes?: number;
  answer: { status: number; schema?: z.ZodType; type?: string; description: string };
  /** Statuses of the route in addition to those that its access and bucket imply. */
  refusals: readonly (400 | 402 | 404 | 429)[];
}

/** One authenticated request. */
export interface Call {
  service: Service;
  account: BillingAccount;
  /** Real time of the request, epoch milliseconds; read once. */
  now: number;
  query: Record<string, string>;
  param(name: string): string;
  /** The JSON body, or undefined when it is not JSON. */
  body: unknown;
}

export interface RouteAnswer {
  status: number;
  type: string;
  body: string;
}

export type HandleCall = (call: Call) => RouteAnswer;

export interface Route {
  operation: RouteOperation;
  handle: HandleCall;
}

/** A JSON answer from a value, or from text that is already JSON. */
export function answerJson(value: unknown, status = 200): RouteAnswer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

export function answerRawJson(body: string): RouteAnswer {
  return { status: 200, type: 'application/json', body };
}

export function answerText(body: string, status: number): RouteAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
