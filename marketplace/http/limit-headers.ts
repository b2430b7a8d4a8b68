/**
 * The RateLimit headers of an answer (facts.md: on every answer). Counts nothing of its own: calls
 * are counted by the limiter, unfinished jobs by the jobs.
 */
import type { Context } from 'hono';
import { type RateLimitState, refuseOverLimit } from '../rate-limits.ts';
import type { Operation, Service } from './operation.ts';

/** What is known of a request while it is answered. */
export interface Asked {
  operation: Operation;
  /** Real time of the request, epoch milliseconds. */
  now: number;
  /** Absent while the key was not looked at, or nobody has it. */
  accountId?: number;
  /** The limit as it stood when the call was counted. */
  limit?: RateLimitState;
}

/**
 * Counts the call in the operation's bucket.
 * @throws RateLimitedError when it came past the limit.
 */
export function takeFromBucket(service: Service, asked: Asked): void {
  const { operation, accountId, now } = asked;
  if (!operation.bucket || accountId === undefined) return;
  const state = service.limiter.take(accountId, operation.bucket, now);
  asked.limit = state;
  refuseOverLimit(state);
}

/** Says how the limit stands. A request that was not counted is told of the limit all the same. */
export function showLimit(c: Context, service: Service, asked: Asked): void {
  const state = asked.limit ?? readLimit(service, asked);
  if (!state) return;
  c.header('RateLimit-Limit', String(state.limit));
  c.header('RateLimit-Remaining', String(state.remaining));
  c.header('RateLimit-Reset', String(state.resetSeconds));
}

/** The limit as it stands for the account; for nobody in particular, as one that nobody has used. */
export function readLimit(service: Service, asked: Asked): RateLimitState | undefined {
  const { operation, accountId, now } = asked;
  if (operation.bucket) return service.limiter.look(accountId, operation.bucket, now);
  return operation.describeLimit?.(service, accountId, now);
}
