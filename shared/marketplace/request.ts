/** One request of the service, as the client's methods ask the transport for it. */
import type { CallOptions } from './attempt-guard.ts';
import type { Endpoint, Repeat } from './endpoints.ts';

export interface Request {
  endpoint: Endpoint;
  /** The endpoint's path with its placeholders filled. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** The cost of a repeat, where it differs from the endpoint's first page. */
  repeat?: Repeat;
  /** Upper bound, in pulls, of one attempt's charge. */
  maxPulls: number;
  options: CallOptions;
}
