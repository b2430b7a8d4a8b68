// Classifies a failed call: what it means for its feed, for all feeds, and for people. Uses the classes of
// the client's errors; market-state.ts has the breaker and the pauses.
import {
  AuthenticationError,
  ContractError,
  MarketplaceError,
  NetworkError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServerError,
  SubscriptionError,
} from '#shared/marketplace/errors.ts';
import type { PauseReason } from './market-state.ts';

/**
 * - `wait`: too many calls; no call of the bucket before then.
 * - `pause`: the account can't be used; all charged polls wait.
 * - `gone`: the event is unknown; the feed ends.
 * - `fault`: the marketplace has a fault; the feed backs off and the breaker counts it.
 * - `bad_data`: the answer violates the contract; the feed backs off, nothing is stored.
 * - `ours`: the call was wrong, or our own storage failed; the feed backs off.
 */
export type Failure =
  | { kind: 'wait'; waitMs: number }
  | { kind: 'pause'; reason: PauseReason; code?: string | undefined; topUpUrl?: string | undefined }
  | { kind: 'gone' }
  | { kind: 'fault' }
  | { kind: 'bad_data'; path: string; shape: string }
  | { kind: 'ours' };

/** Classifies an error of a call. */
export function decideFailure(error: unknown): Failure {
  if (error instanceof RateLimitedError) return { kind: 'wait', waitMs: error.retryAfterMs };
  if (error instanceof PaymentRequiredError) {
    return { kind: 'pause', reason: 'payment', code: error.code, topUpUrl: error.topUpUrl };
  }
  if (error instanceof AuthenticationError) {
    return { kind: 'pause', reason: 'authentication', code: error.code };
  }
  if (error instanceof SubscriptionError) {
    return { kind: 'pause', reason: 'subscription', code: error.code };
  }
  if (error instanceof NotFoundError) {
    // A missing route means a wrong base URL or a proxy's page, not that an event is gone.
    return error.subject === 'event' ? { kind: 'gone' } : { kind: 'fault' };
  }
  if (error instanceof ServerError || error instanceof NetworkError) return { kind: 'fault' };
  if (error instanceof ContractError) {
    return { kind: 'bad_data', path: error.path, shape: shapeOf(error.bodyExcerpt ?? '') };
  }
  return { kind: 'ours' };
}

/**
 * The upper bound of pulls that the failed call may have cost. An error that is not the client's came up
 * after the answer, so the call may be charged.
 */
export function possiblePulls(error: unknown): number {
  return error instanceof MarketplaceError ? error.possiblePulls : 1;
}

const longestShape = 500;

/** JSON text, whole or cut off, with every value replaced by its type; keys and nesting stay. */
export function shapeOf(json: string): string {
  return json
    .replace(/"(?:[^"\\]|\\.)*("|$)(\s*:)?/g, (text, _quote, colon) => (colon ? text : 'string'))
    .replace(/(?<![\w"])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, 'number')
    .slice(0, longestShape);
}
