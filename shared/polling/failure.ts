// What a failed call means for its feed, for all feeds, and for people. Reads the client's errors by
// class; the breaker and the pauses themselves are market-state.ts.
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
 * - `wait`: too many calls; nobody calls the bucket before then.
 * - `pause`: the account can't be used; all charged polls wait.
 * - `gone`: the event is not known; the feed ends.
 * - `fault`: the marketplace is in trouble; the feed backs off and the breaker counts it.
 * - `bad_data`: the answer is not what the contract says; the feed backs off, nothing is stored.
 * - `ours`: the call itself was wrong, or our own storage failed; the feed backs off.
 */
export type Failure =
  | { kind: 'wait'; waitMs: number }
  | { kind: 'pause'; reason: PauseReason; code?: string | undefined; topUpUrl?: string | undefined }
  | { kind: 'gone' }
  | { kind: 'fault' }
  | { kind: 'bad_data'; path: string; shape: string }
  | { kind: 'ours' };

/** Classifies what the client threw. */
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
    // A route that is not there means a wrong base URL or a proxy's page: no event has vanished.
    return error.subject === 'event' ? { kind: 'gone' } : { kind: 'fault' };
  }
  if (error instanceof ServerError || error instanceof NetworkError) return { kind: 'fault' };
  if (error instanceof ContractError) {
    return { kind: 'bad_data', path: error.path, shape: shapeOf(error.bodyExcerpt ?? '') };
  }
  return { kind: 'ours' };
}

/**
 * Pulls that the failed call may have cost all the same; an upper bound. What is no error of the
 * client's came up after its answer.
 */
export function possiblePulls(error: unknown): number {
  return error instanceof MarketplaceError ? error.possiblePulls : 1;
}

const longestShape = 500;

/** JSON text, cut or whole, with every value replaced by its type; keys and nesting stay. */
export function shapeOf(json: string): string {
  return json
    .replace(/"(?:[^"\\]|\\.)*("|$)(\s*:)?/g, (text, _quote, colon) => (colon ? text : 'string'))
    .replace(/(?<![\w"])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, 'number')
    .slice(0, longestShape);
}
