// Decides whether a failure is transient. Code that isolates faults asks here: a transient
// failure fails the whole run, which SQS retries; a permanent one is set aside with the item that caused it.
import { QueueSendError } from './queue-sender.ts';

/**
 * Error names of AWS services and the SDK for throttling, timeouts and server faults, and for faults of
 * the whole deployment: those are not the fault of a single input, so none is set aside.
 */
const transientNames = new Set([
  'AbortError',
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InternalServerError',
  'InternalFailure',
  'InvalidSignatureException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestTimeout',
  'RequestTimeoutException',
  'ResourceNotFoundException',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionConflictException',
  'UnrecognizedClientException',
]);

/** Node's error codes for a connection that was lost, refused or never answered. */
const connectionCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ETIMEDOUT',
]);

/** Maximum depth of causes, so that the search ends even if an error is its own cause. */
const mostCauses = 5;

/**
 * Whether the same work may succeed later with the same input: throttling, a lost
 * connection, a timeout, a server error of AWS, a queue that did not accept a message.
 */
export function isTransient(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < mostCauses && isObject(current); depth += 1) {
    if (isTransientItself(current)) return true;
    current = current.cause;
  }
  return false;
}

function isTransientItself(error: Record<string, unknown>): boolean {
  if (error instanceof QueueSendError) return true;
  if (isObject(error.$retryable)) return true;
  const { $metadata: metadata, name, code } = error;
  const status = isObject(metadata) ? metadata.httpStatusCode : undefined;
  if (typeof status === 'number' && (status >= 500 || status === 429)) return true;
  return (
    (typeof name === 'string' && transientNames.has(name)) ||
    (typeof code === 'string' && connectionCodes.has(code))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
