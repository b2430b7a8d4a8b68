// Decides whether a failure would pass by itself. Everything that isolates a fault asks here: a transient
// failure fails the whole run, which SQS retries; any other is set aside where it belongs.
import { QueueSendError } from './queue-sender.ts';

/**
 * Names under which AWS services and the SDK report throttling, timeouts and their own trouble, and what is
 * wrong with the deployment as a whole: no single input is to be set aside for that.
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

/** Codes that Node gives to a connection that was lost, refused or never answered. */
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

/** Causes followed at most, so that an error that names itself as its cause ends the search. */
const mostCauses = 5;

/**
 * Whether the same work may succeed later although nothing about its input changes: throttling, a lost
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
