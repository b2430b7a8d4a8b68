/**
 * The errors of the client, one class for each reaction of the caller. They carry evidence
 * (endpoint, status, a short excerpt of the body) and never the API key: their texts are already
 * redacted.
 */
import type { RateLimitBucket } from './contract/values.ts';

/** Facts about a failed call. */
export interface Evidence {
  /** Method and path template, such as `GET /v1/events/{event_id}/stats`. */
  endpoint: string;
  /** HTTP status; absent when no answer arrived or no request was sent. */
  status?: number | undefined;
  /** The `code` of the error envelope or of the 402 body, if any. */
  code?: string | undefined;
  /** Start of the answer's body, at most 500 characters, without the key. */
  bodyExcerpt?: string | undefined;
  /** How long the answer asks to wait before the next call of this kind. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Base class; only its subclasses are thrown. */
export class MarketplaceError extends Error {
  override readonly name: string = 'MarketplaceError';
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly bodyExcerpt: string | undefined;
  /**
   * Upper bound, in pulls, of the charge for a call that failed, so that a budget is never overrun.
   * 0 when a charge is impossible.
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

/** The key is valid but its account has no access: stop until the account subscribes. */
export class SubscriptionError extends MarketplaceError {
  override readonly name = 'SubscriptionError';
}

/** The account can't pay the charge: stop charged calls until it is topped up. */
export class PaymentRequiredError extends MarketplaceError {
  override readonly name = 'PaymentRequiredError';
  /** Pulls left, if the service said so. */
  readonly balance: number | undefined;
  /** Pulls that the call would have cost, if the service said so. */
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

/**
 * The subject of a 404. `route` means that the base URL is wrong, not that an event has vanished.
 */
export type NotFoundSubject = 'event' | 'job' | 'file' | 'route';

/** The requested thing does not exist: stop asking for it. */
export class NotFoundError extends MarketplaceError {
  override readonly name = 'NotFoundError';
  readonly subject: NotFoundSubject;

  constructor(message: string, evidence: Evidence, subject: NotFoundSubject) {
    super(message, evidence);
    this.subject = subject;
  }
}

/**
 * The request is invalid, and a retry won't help: correct `param`. Without `status` it was not
 * sent.
 */
export class InvalidRequestError extends MarketplaceError {
  override readonly name = 'InvalidRequestError';
  readonly param: string | undefined;

  constructor(message: string, evidence: Evidence, param: string | undefined) {
    super(message, evidence);
    this.param = param;
  }
}

/** The cursor is expired or belongs to another request: discard it and start at the first page. */
export class CursorError extends MarketplaceError {
  override readonly name = 'CursorError';
}

/**
 * Too many calls: retry after `retryAfterMs`. Without `status` the client did not send the call.
 */
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
 * The service or a proxy answered a 5xx, or a 2xx with HTML, an empty or a truncated body: retry
 * later.
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
 * `unreachable`: no request was sent. `lost`: the connection broke, so the call may have been
 * served.
 * `timeout`: one attempt took too long. `deadline`: the whole call did.
 */
export type NetworkFault = 'unreachable' | 'lost' | 'timeout' | 'deadline';

/** No complete answer arrived: retry later. */
export class NetworkError extends MarketplaceError {
  override readonly name = 'NetworkError';
  readonly fault: NetworkFault;

  constructor(message: string, evidence: Evidence, fault: NetworkFault) {
    super(message, evidence);
    this.fault = fault;
  }
}

/** The answer is well-formed but breaks the contract: tell the maintainers, don't retry. */
export class ContractError extends MarketplaceError {
  override readonly name = 'ContractError';
  /** Where in the body, such as `data.3.price`; empty for the body as a whole. */
  readonly path: string;

  constructor(message: string, evidence: Evidence, path: string) {
    super(message, evidence);
    this.path = path;
  }
}
