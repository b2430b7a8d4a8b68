/**
 * The endpoints of the data service: method, path template, rate-limit bucket, and the cost of
 * repeating a request. Sends nothing.
 */
import type { RateLimitBucket } from './contract/values.ts';

/**
 * The cost of sending the same request twice; it decides how the request is retried:
 * - `free`: no charge at all;
 * - `free_once_recorded`: charged, but the service remembers the paid pull, so repeating a call
 *   whose answer was lost is free unless new data arrived in between;
 * - `charged_again`: each first page is charged, so a request is repeated only when it was
 *   certainly not served;
 * - `never`: never repeated.
 */
export type Repeat = 'free' | 'free_once_recorded' | 'charged_again' | 'never';

export interface Endpoint {
  method: 'GET' | 'POST';
  /** Path template, relative to the base URL. */
  path: string;
  bucket: RateLimitBucket | undefined;
  repeat: Repeat;
  /** The subject of a 404 from this endpoint. */
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

/** The name of an endpoint in errors and logs. */
export function endpointLabel(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Fills the template's placeholders, percent-encoded. */
export function fillPath(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
}
