/**
 * Explains why no answer could be read, and whether the service may have served the request. Reads
 * error codes of Node's fetch, never message texts.
 */
import { AnswerTooLargeError } from './answer-body.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import { endpointLabel } from './endpoints.ts';
import { ContractError, MarketplaceError, NetworkError, ServerError } from './errors.ts';
import type { Limits } from './limits.ts';
import { cleanCause, type Redactor } from './redact.ts';
import type { Request } from './request.ts';

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** `unreachable` when the request was certainly not sent, otherwise `lost`. */
export function classifyFault(error: unknown): 'unreachable' | 'lost' {
  let current = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth += 1) {
    if ('code' in current && NEVER_CONNECTED.has(String(current.code))) return 'unreachable';
    current = current.cause;
  }
  return 'lost';
}

export interface FailedAttempt {
  error: unknown;
  request: Request;
  guard: AttemptGuard;
  limits: Limits;
  redact: Redactor;
}

/**
 * The error to throw for a failed attempt: a MarketplaceError, or the reason of the caller's abort.
 */
export function explainFault({ error, request, guard, limits, redact }: FailedAttempt): unknown {
  const ending = guard.ending();
  if (ending === 'caller') return request.options.signal?.reason;
  if (error instanceof MarketplaceError) return error;
  const endpoint = endpointLabel(request.endpoint);
  if (error instanceof AnswerTooLargeError)
    return new ContractError(error.message, { endpoint }, '');
  const fault = ending ?? classifyFault(error);
  const message = {
    timeout: `no complete answer within ${limits.requestTimeoutMs} ms`,
    deadline: 'the deadline of the call has come',
    unreachable: 'could not connect',
    lost: 'the connection broke',
  }[fault];
  return new NetworkError(message, { endpoint, cause: cleanCause(error, redact) }, fault);
}

/** Whether the failed attempt may have been served and charged. */
export function mayHaveBeenServed(error: MarketplaceError): boolean {
  if (error instanceof NetworkError) return error.fault !== 'unreachable' && wasSent(error);
  if (error instanceof ContractError) return true;
  if (!(error instanceof ServerError) || error.status === undefined) return false;
  return error.status >= 500 || error.status < 300;
}

/**
 * A NetworkError without a cause was thrown before the request, because the deadline had passed.
 */
function wasSent(error: NetworkError): boolean {
  return error.fault !== 'deadline' || error.cause !== undefined;
}
