/**
 * The endpoints of the data service: method, path template, rate-limit bucket, and what a repeat of
 * the same request costs. Sends nothing.
 */
import type { RateLimitBucket } from './contract.ts';

/**
 * What sending the same request twice may cost, which decides how it is retried:
 * - `free`: no charge at all;
 * - `free_once_recorded`: charged, but the service remembers the paid pull, so that the repeat of a
 *   call whose answer was lost is free unless new data came in between;
 * - `charged_again`: each first page is a pull of its own, so that only a request that was
 *   certainly not served is repeated;
 * - `never`: not repeated whatever happened.
 */
export type Repeat = 'free' | 'free_once_recorded' | 'charged_again' | 'never';

export interface Endpoint {
  method: 'GET' | 'POST';
  /** Path template, relative to the base URL. */
  path: string;
  bucket: RateLimitBucket | undefined;
  repeat: Repeat;
  /** What a 404 means here. */
  subject: 'event' | 'job' | 'file' | 'route';
}

export const ENDPOINTS = {
  account: {
    method: 'GET',
    path: '/v1/account',
    bucket: 'account',
    repeat: 'free',
    subject: 'route',
  },
  usage: { method: 'GET', path: '/v1/usage', bucket: 'usage', repeat: 'free', subject: 'route' },
  search: {
    method: 'GET',
    path: '/v1/events/search',
    bucket: 'events_search',
    repeat: 'free',
    subject: 'route',
  },
  legacySearch: {
    method: 'POST',
    path: '/v0.3.1/events/search',
    bucket: 'events_search',
    repeat: 'free',
    subject: 'route',
  },
  sales: {
    method: 'GET',
    path: '/v1/events/{event_id}/sales',
    bucket: 'sales',
    repeat: 'charged_again',
    subject: 'event',
  },
  salesBatch: {
    method: 'POST',
    path: '/v1/events/sales/batch',
    bucket: 'sales_batch',
    repeat: 'never',
    subject: 'route',
  },
  legacySales: {
    method: 'GET',
    path: '/{version}/salesdata/get',
    bucket: 'salesdata',
    repeat: 'charged_again',
    subject: 'event',
  },
  legacySalesBatch: {
    method: 'POST',
    path: '/v0.3/salesdata/batch',
    bucket: 'salesdata',
    repeat: 'never',
    subject: 'route',
  },
  listings: {
    method: 'GET',
    path: '/v1/events/{event_id}/listings',
    bucket: 'listings',
    repeat: 'free_once_recorded',
    subject: 'event',
  },
  legacyListings: {
    method: 'GET',
    path: '/{version}/listings/get',
    bucket: 'listings',
    repeat: 'free_once_recorded',
    subject: 'event',
  },
  stats: {
    method: 'GET',
    path: '/v1/events/{event_id}/stats',
    bucket: 'events_stats',
    repeat: 'free_once_recorded',
    subject: 'event',
  },
  eventAdd: {
    method: 'POST',
    path: '/v0.4/events/event-request-add',
    bucket: undefined,
    repeat: 'never',
    subject: 'route',
  },
  eventAddStatus: {
    method: 'GET',
    path: '/v0.4/events/event-request-status/{job_id}/',
    bucket: undefined,
    repeat: 'free',
    subject: 'job',
  },
  dailyCsv: {
    method: 'GET',
    path: '/v0.5/daily-csv/download',
    bucket: 'daily_csv',
    repeat: 'free',
    subject: 'file',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** How errors and logs name an endpoint. */
export function endpointLabel(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Fills the template's placeholders, percent-encoded. */
export function fillPath(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
}
