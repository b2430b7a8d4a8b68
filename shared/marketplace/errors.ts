/**
 * The errors of the client, one class per thing that a caller does next. Carries evidence (endpoint,
 * status, a capped excerpt of the body) and never the API key: texts arrive here already cleaned.
 */
import type { RateLimitBucket } from './contract.ts';

/** What is known about a failed call. */
export interface Evidence {
  /** Method and path template, such as `GET /v1/events/{event_id}/stats`. */
  endpoint: string;
  /** HTTP status; absent when no answer arrived or nothing was sent. */
  status?: number | undefined;
  /** The `code` of the error envelope or 402 body, where there was one. */
  code?: string | undefined;
  /** Start of the answer's body, at most 500 characters, without the key. */
  bodyExcerpt?: string | undefined;
  /** The wait that the answer asked for, before any further call of this kind. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Root of the tree; thrown itself never. */
export class MarketplaceError extends Error {
  override readonly name: string = 'MarketplaceError';
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly bodyExcerpt: string | undefined;
  /**
   * What the service may have charged although the caller got nothing: an upper bound in pulls, for
   * a budget that must not be overrun. 0 when the answer, or its absence, rules a charge out.
   */
  possiblePulls = 0;

  constructor(message: string, evidence: Evidence) {
    super(
      `${evidence.endpoint}: ${message}`,
      evidence.cause === undefined ? {} : { cause: evidence.cause },
    );
    this.endpoint = evidence.endpoint;
    this.status = evidence.status;
    this.code = evidence.code;
    this.bodyExcerpt = evidence.bodyExcerpt;
  }
}

/** The key is missing, malformed or unknown: stop all calls until it is replaced. */
export class AuthenticationError extends MarketplaceError {
  override readonly name = 'AuthenticationError';
}

/** The key is known but its account has no access to this: stop until somebody subscribes. */
export class SubscriptionError extends MarketplaceError {
  override readonly name = 'SubscriptionError';
}

/** The account can't cover the charge: stop charged calls until it is topped up. */
export class PaymentRequiredError extends MarketplaceError {
  override readonly name = 'PaymentRequiredError';
  /** Pulls left, where the service said so. */
  readonly balance: number | undefined;
  /** Pulls that the call would have cost, where the service said so. */
  readonly required: number | undefined;
  readonly topUpUrl: string | undefined;

  constructor(
    message: string,
    evidence: Evidence,
    bill: {
      balance?: number | undefined;
      required?: number | undefined;
      topUpUrl?: string | undefined;
    },
  ) {
    super(message, evidence);
    this.balance = bill.balance;
    this.required = bill.required;
    this.topUpUrl = bill.topUpUrl;
  }
}

/** What a 404 is about. A `route` was never there: the base URL is wrong, no event has vanished. */
export type NotFoundSubject = 'event' | 'job' | 'file' | 'route';

/** The thing asked for does not exist: stop asking for it. */
export class NotFoundError extends MarketplaceError {
  override readonly name = 'NotFoundError';
  readonly subject: NotFoundSubject;

  constructor(message: string, evidence: Evidence, subject: NotFoundSubject) {
    super(message, evidence);
    this.subject = subject;
  }
}

/** The request is wrong and will stay wrong: correct `param`. Without `status` it was not sent. */
export class InvalidRequestError extends MarketplaceError {
  override readonly name = 'InvalidRequestError';
  readonly param: string | undefined;

  constructor(message: string, evidence: Evidence, param: string | undefined) {
    super(message, evidence);
    this.param = param;
  }
}

/** The cursor is expired or belongs elsewhere: discard it and begin at the first page. */
export class CursorError extends MarketplaceError {
  override readonly name = 'CursorError';
}

/** Too many calls: come back after `retryAfterMs`. Without `status` the client held it back. */
export class RateLimitedError extends MarketplaceError {
  override readonly name = 'RateLimitedError';
  readonly retryAfterMs: number;
  readonly bucket: RateLimitBucket | undefined;

  constructor(
    message: string,
    evidence: Evidence & { retryAfterMs: number },
    bucket: RateLimitBucket | undefined,
  ) {
    super(message, evidence);
    this.retryAfterMs = evidence.retryAfterMs;
    this.bucket = bucket;
  }
}

/**
 * The service, or something before it, answered a 5xx or nonsense (HTML, an empty or cut body with
 * a 2xx): try later.
 */
export class ServerError extends MarketplaceError {
  override readonly name = 'ServerError';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, evidence: Evidence) {
    super(message, evidence);
    this.retryAfterMs = evidence.retryAfterMs;
  }
}

/**
 * `unreachable`: nothing was sent. `lost`: the connection broke, so the call may have been served.
 * `timeout`: one attempt took too long. `deadline`: the whole call did.
 */
export type NetworkFault = 'unreachable' | 'lost' | 'timeout' | 'deadline';

/** No complete answer arrived: try later. */
export class NetworkError extends MarketplaceError {
  override readonly name = 'NetworkError';
  readonly fault: NetworkFault;

  constructor(message: string, evidence: Evidence, fault: NetworkFault) {
    super(message, evidence);
    this.fault = fault;
  }
}

/** The answer is well-formed but not what the contract says: tell the maintainers, don't retry. */
export class ContractError extends MarketplaceError {
  override readonly name = 'ContractError';
  /** Where in the body, such as `data.3.price`; empty for the body as a whole. */
  readonly path: string;

  constructor(message: string, evidence: Evidence, path: string) {
    super(message, evidence);
    this.path = path;
  }
}
