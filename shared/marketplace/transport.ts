/**
 * Sends one request and returns a checked answer: rate limit, attempts, waits, deadline, size bound
 * and errors. Knows no endpoint's meaning and computes no charge.
 */
import type * as z from 'zod';
import { readErrorText, readText } from './answer-body.ts';
import { errorOfAnswer } from './answer-errors.ts';
import { parseAnswer } from './answer-json.ts';
import { type AttemptGuard, type CallOptions, guardAttempt } from './attempt-guard.ts';
import { type Endpoint, endpointLabel } from './endpoints.ts';
import { MarketplaceError, NetworkError, RateLimitedError } from './errors.ts';
import type { Limits } from './limits.ts';
import { explainFault, mayHaveBeenServed } from './network-fault.ts';
import { type RateLimiter, type RateLimitReading, readRateLimit } from './rate-limiter.ts';
import type { RateLimits } from './reading/account.ts';
import type { Redactor } from './redact.ts';
import type { Request } from './request.ts';
import { readServiceClock, type ServiceClock } from './result.ts';
import { decideRetry } from './retry.ts';

export interface CheckedAnswer<T> {
  value: T;
  rateLimit: RateLimitReading | undefined;
  serviceClock: ServiceClock | undefined;
  /**
   * Earlier attempts that may have been served and charged, although their answers did not arrive.
   */
  lostAttempts: number;
}

export interface TransportParts {
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  clock: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
  limits: Limits;
  limiter: RateLimiter;
  redact: Redactor;
}

/** Rate-limit windows that one call waits for while other calls take all of their capacity. */
const MAX_WINDOWS = 100;

/** Turns a successful response into a value; throws a MarketplaceError or the read error. */
export type Consume<T> = (response: Response) => Promise<T>;

export class Transport {
  readonly #parts: TransportParts;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  get redact(): Redactor {
    return this.#parts.redact;
  }

  get limits(): Limits {
    return this.#parts.limits;
  }

  /** Applies the account's limits to the counts that all calls share. */
  learnRateLimits(catalog: RateLimits): void {
    this.#parts.limiter.learn(catalog);
  }

  /** The client's clock, epoch milliseconds. */
  now(): number {
    return this.#parts.clock();
  }

  /** Sends the request and parses its answer as JSON with the given schema. */
  json<S extends z.ZodType>(request: Request, schema: S): Promise<CheckedAnswer<z.infer<S>>> {
    const { limits, redact } = this.#parts;
    const endpoint = endpointLabel(request.endpoint);
    return this.send(request, async (response) => {
      const text = await readText(response, limits.maxResponseBytes);
      return parseAnswer(schema, { endpoint, response, text, redact });
    });
  }

  /**
   * Sends the request until it is answered or given up.
   *
   * @throws MarketplaceError, or the reason of `options.signal` when that aborts
   */
  async send<T>(request: Request, consume: Consume<T>): Promise<CheckedAnswer<T>> {
    const { limits, random } = this.#parts;
    const repeat = request.repeat ?? request.endpoint.repeat;
    let lostAttempts = 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return { ...(await this.#attempt(request, consume)), lostAttempts };
      } catch (error) {
        if (!(error instanceof MarketplaceError)) throw error;
        if (mayHaveBeenServed(error)) lostAttempts += 1;
        // New data may have arrived between any two attempts, so each may have been charged.
        error.possiblePulls = lostAttempts * request.maxPulls;
        const waitMs = decideRetry({ error, attempt, repeat, random: random(), limits });
        if (waitMs === undefined || !this.#fits(waitMs, request.options)) throw error;
        await this.sleep(waitMs, request.options);
      }
    }
  }

  async #attempt<T>(request: Request, consume: Consume<T>) {
    const { limiter, clock, limits } = this.#parts;
    const { bucket } = request.endpoint;
    this.#checkDeadline(request);
    if (bucket !== undefined) await this.#admit(bucket, request);
    const guard = guardAttempt(request.options, clock(), limits.requestTimeoutMs);
    let rateLimit: RateLimitReading | undefined;
    try {
      const response = await this.#fetch(request, guard);
      rateLimit = readRateLimit(response.headers, bucket, clock());
      const serviceClock = readServiceClock(response.headers, clock());
      if (!response.ok) throw await this.#failure(request, response);
      return { value: await consume(response), rateLimit, serviceClock };
    } catch (error) {
      throw explainFault({ error, request, guard, limits, redact: this.#parts.redact });
    } finally {
      guard.close();
      if (bucket !== undefined) limiter.applyReading(bucket, rateLimit);
    }
  }

  async #admit(bucket: NonNullable<Endpoint['bucket']>, request: Request): Promise<void> {
    const { limiter, clock } = this.#parts;
    for (let round = 0; ; round += 1) {
      const waitMs = limiter.take(bucket, clock());
      if (waitMs === 0) return;
      if (round >= MAX_WINDOWS || !this.#fits(waitMs, request.options)) {
        throw new RateLimitedError(
          `held back for ${Math.ceil(waitMs / 1000)} s: the rate limit of ${bucket} is used up`,
          { endpoint: endpointLabel(request.endpoint), retryAfterMs: waitMs },
          bucket,
        );
      }
      await this.sleep(waitMs, request.options);
    }
  }

  #fetch(request: Request, guard: AttemptGuard): Promise<Response> {
    const { baseUrl, apiKey } = this.#parts;
    const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query)}`;
    const init: RequestInit = {
      method: request.endpoint.method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json, text/csv, text/plain',
        'user-agent': 'getin-marketplace-client',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      // A redirect would send the key to another address.
      redirect: 'manual',
      signal: guard.signal,
    };
    if (request.body !== undefined) init.body = JSON.stringify(request.body);
    return this.#parts.fetch(`${baseUrl}${request.path}${query.length > 1 ? query : ''}`, init);
  }

  async #failure(request: Request, response: Response): Promise<MarketplaceError> {
    const { clock, limits, limiter, redact } = this.#parts;
    const text = await readErrorText(response);
    const error = errorOfAnswer({
      endpoint: request.endpoint,
      status: response.status,
      headers: response.headers,
      text,
      nowMs: clock(),
      retryAfterCapMs: limits.retryAfterCapMs,
      redact,
    });
    if (error instanceof RateLimitedError && error.bucket !== undefined) {
      limiter.holdUntil(error.bucket, clock() + error.retryAfterMs);
    }
    return error;
  }

  #checkDeadline({ endpoint, options }: Request): void {
    options.signal?.throwIfAborted();
    if (this.#fits(0, options)) return;
    const evidence = { endpoint: endpointLabel(endpoint) };
    throw new NetworkError('not sent: the deadline of the call has come', evidence, 'deadline');
  }

  #fits(waitMs: number, options: CallOptions): boolean {
    const { clock, limits } = this.#parts;
    if (waitMs > limits.maxWaitMs) return false;
    return options.deadlineMs === undefined || clock() + waitMs < options.deadlineMs;
  }

  /** Waits on the client's own timer; rejects with the reason of the caller's abort. */
  async sleep(waitMs: number, options: CallOptions): Promise<void> {
    options.signal?.throwIfAborted();
    try {
      await this.#parts.sleep(waitMs, options.signal);
    } finally {
      options.signal?.throwIfAborted();
    }
  }
}
