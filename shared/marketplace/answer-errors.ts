/**
 * Turns a failed answer into an error class: v1 envelopes, the flat 402 body, v0.x plain text and
 * HTML pages. Decides nothing about retries.
 */
import { plainErrorSchema, tooManyJobsSchema } from './contract/errors.ts';
import { type Endpoint, endpointLabel } from './endpoints.ts';
import {
  AuthenticationError,
  CursorError,
  type Evidence,
  InvalidRequestError,
  type MarketplaceError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServerError,
  SubscriptionError,
} from './errors.ts';
import { readRateLimit } from './rate-limiter.ts';
import { readErrorEnvelope, readPaymentRequired } from './reading/errors.ts';
import { excerptOf, type Redactor } from './redact.ts';
import { parseRetryAfter } from './retry.ts';

export interface FailedAnswer {
  endpoint: Endpoint;
  status: number;
  headers: Headers;
  text: string;
  nowMs: number;
  retryAfterCapMs: number;
  redact: Redactor;
}

/** The content of a failed answer, in any of the API's error shapes. */
interface Complaint {
  message: string;
  code?: string | undefined;
  param?: string | undefined;
  retryAfterMs?: number | undefined;
  /** Pulls. */
  balance?: number | undefined;
  /** Pulls. */
  required?: number | undefined;
  topUpUrl?: string | undefined;
  isHtml: boolean;
}

/** The wait after a 429 that gives none. */
const DEFAULT_RATE_LIMIT_WAIT_MS = 1000;

/** Builds the error of a failed answer. */
export function errorOfAnswer(answer: FailedAnswer): MarketplaceError {
  const complaint = cleanComplaint(readComplaint(answer), answer.redact);
  const evidence: Evidence = {
    endpoint: endpointLabel(answer.endpoint),
    status: answer.status,
    code: complaint.code,
    bodyExcerpt: excerptOf(answer.text, answer.redact),
    retryAfterMs: complaint.retryAfterMs,
  };
  const message = `${answer.status} ${complaint.message}`.trim();
  return chooseError({ answer, complaint, evidence, message });
}

/** Removes the key from every text that goes into an error: the answer may echo the request. */
function cleanComplaint(complaint: Complaint, redact: Redactor): Complaint {
  const { message, code, param, topUpUrl } = complaint;
  return {
    ...complaint,
    message: excerptOf(message, redact),
    code: code && redact(code),
    param: param && redact(param),
    topUpUrl: topUpUrl && redact(topUpUrl),
  };
}

interface Choice {
  answer: FailedAnswer;
  complaint: Complaint;
  evidence: Evidence;
  message: string;
}

function chooseError(choice: Choice): MarketplaceError {
  const { answer, complaint, evidence, message } = choice;
  const { status } = answer;
  if (complaint.code === 'invalid_cursor') return new CursorError(message, evidence);
  if (status === 401) return refusedKey(choice);
  if (status === 402) return unpaid(choice);
  if (status === 403) return new SubscriptionError(message, evidence);
  if (status === 404) return notFound(choice);
  if (status === 429) return rateLimited(choice);
  if (status === 400 && isLegacyNotFound(choice)) return notFound(choice);
  if (status < 400 || status >= 500 || status === 408 || status === 425) {
    return new ServerError(message, evidence);
  }
  return new InvalidRequestError(message, evidence, complaint.param);
}

/** v0.x answers 401 where v1 answers 403 (facts.md, daily CSV errors). */
function refusedKey({ complaint, evidence, message }: Choice): MarketplaceError {
  const isSubscription = /subscription/i.test(complaint.message);
  return isSubscription
    ? new SubscriptionError(message, evidence)
    : new AuthenticationError(message, evidence);
}

function unpaid({ complaint, evidence, message }: Choice): PaymentRequiredError {
  const { balance, required, topUpUrl } = complaint;
  return new PaymentRequiredError(message, evidence, { balance, required, topUpUrl });
}

/** Ids are checked before the request, so an HTML page means that the base URL is wrong. */
function notFound({ answer, complaint, evidence, message }: Choice): NotFoundError {
  if (!complaint.isHtml) return new NotFoundError(message, evidence, answer.endpoint.subject);
  return new NotFoundError(
    '404 with an HTML page: no such route, check the base URL',
    evidence,
    'route',
  );
}

/** v0.3 answers a generic 400 or 401; only the text tells the cause (api.md, Other rules). */
function isLegacyNotFound({ answer, complaint }: Choice): boolean {
  const isLegacy = !answer.endpoint.path.startsWith('/v1/');
  return (
    isLegacy &&
    answer.endpoint.subject === 'event' &&
    /not found|no (such )?event/i.test(complaint.message)
  );
}

function rateLimited({ answer, complaint, evidence, message }: Choice): RateLimitedError {
  const retryAfterMs = complaint.retryAfterMs ?? windowWaitMs(answer) ?? DEFAULT_RATE_LIMIT_WAIT_MS;
  return new RateLimitedError(message, { ...evidence, retryAfterMs }, answer.endpoint.bucket);
}

/**
 * A 429 without `Retry-After` may still have the rate-limit headers that say when its window ends.
 */
function windowWaitMs({ headers, endpoint, nowMs, retryAfterCapMs }: FailedAnswer) {
  const reading = readRateLimit(headers, endpoint.bucket, nowMs);
  if (reading === undefined || reading.remaining > 0) return undefined;
  return Math.min(retryAfterCapMs, reading.resetAtMs - nowMs);
}

function readComplaint(answer: FailedAnswer): Complaint {
  const { headers, nowMs, retryAfterCapMs } = answer;
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs, retryAfterCapMs);
  const isHtml = headers.get('content-type')?.includes('html') ?? false;
  if (isHtml) return { message: 'with an HTML page', isHtml, retryAfterMs };
  const body = parseJson(answer.text);
  const envelope = readErrorEnvelope.safeParse(body);
  if (envelope.success) {
    const { code, param, message = code } = envelope.data.error;
    return { message, code, param, isHtml, retryAfterMs };
  }
  const bill = readPaymentRequired.safeParse(body);
  if (bill.success) {
    const { code, balance, required, top_up_url: topUpUrl } = bill.data;
    return {
      message: `payment required: ${code ?? 'no reason given'}`,
      code,
      balance,
      required,
      topUpUrl,
      isHtml,
    };
  }
  const plain = plainErrorSchema.safeParse(body);
  if (!plain.success) return { message: answer.text, isHtml, retryAfterMs };
  return {
    message: plain.data.error,
    code: tooManyJobsSchema.safeParse(body).success ? 'too_many_jobs' : undefined,
    isHtml,
    retryAfterMs: retryAfterMs ?? waitInBody(plain.data.retry_after, retryAfterCapMs),
  };
}

function waitInBody(seconds: number | undefined, capMs: number): number | undefined {
  if (seconds === undefined || seconds < 0) return undefined;
  return Math.min(capMs, Math.ceil(seconds) * 1000);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
