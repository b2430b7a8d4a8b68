/**
 * The RateLimit headers of an answer (facts.md: on every answer). Counts nothing itself: the
 * limiter counts calls, and the jobs count unfinished jobs.
 */
import { type RateLimitState, refuseOverLimit } from '../rate-limits.ts';
import type { RouteOperation, Service } from './operation.ts';

/** The facts about a request while it is answered. */
export interface RequestFacts {
  operation: RouteOperation;
  /** Real time of the request, epoch milliseconds. */
  now: number;
  /** Absent before the key was checked, or when no account has it. */
  accountId?: number;
  /** The limit at the time when the call was counted. */
  limit?: RateLimitState;
}

/**
 * Counts the call in the operation's bucket.
 * @throws RateLimitedError when the call is over the limit.
 */
export function takeFromBucket(service: Service, asked: RequestFacts): void {
  const { operation, accountId, now } = asked;
  if (!operation.bucket || accountId === undefined) return;
  const state = service.limiter.take(accountId, operation.bucket, now);
  asked.limit = state;
  refuseOverLimit(state);
}

/** The headers of the limit, also for a request that was not counted. */
export function limitHeaders(service: Service, asked: RequestFacts): Record<string, string> {
  const state = asked.limit ?? readLimit(service, asked);
  if (!state) return {};
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

/** The account's current limit; without an account, an unused one. */
export function readLimit(service: Service, asked: RequestFacts): RateLimitState | undefined {
  const { operation, accountId, now } = asked;
  if (operation.bucket) return service.limiter.look(accountId, operation.bucket, now);
  return operation.describeLimit?.(service, accountId, now);
}
