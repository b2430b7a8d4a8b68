/**
 * The options of a client, their defaults and their validation. Errors quote neither the base URL
 * nor the key, because users mix up the two.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { API_KEY_LENGTH } from './contract/values.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { RateLimits } from './reading/account.ts';
import { createRedactor } from './redact.ts';
import type { TransportParts } from './transport.ts';

export interface ClientOptions {
  /** Base URL of the service, with or without the `/api` prefix, such as `https://host/api`. */
  baseUrl: string;
  /** 64 characters. Never appears in an error, log, inspection or JSON of the client. */
  apiKey: string;
  /** @default Node's own fetch, which keeps connections alive */
  fetch?: typeof fetch | undefined;
  /** Epoch milliseconds. @default Date.now */
  clock?: (() => number) | undefined;
  /** Waits; rejects when the signal aborts. @default a timer */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** A number in [0, 1). @default Math.random */
  random?: (() => number) | undefined;
  limits?: Partial<Limits> | undefined;
  /** The rate limits from an earlier `account()` call. @default learned from the answers */
  rateLimits?: RateLimits | undefined;
}

/**
 * Fills in the defaults.
 *
 * @throws TypeError when the base URL, the key or a limit is invalid
 */
export function completeOptions(options: ClientOptions): TransportParts {
  const limiter = new RateLimiter();
  if (options.rateLimits !== undefined) limiter.learn(options.rateLimits);
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey: checkApiKey(options.apiKey),
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? Date.now,
    sleep: options.sleep ?? defaultSleep,
    random: options.random ?? Math.random,
    limits: completeLimits(options.limits ?? {}),
    limiter,
    redact: createRedactor(options.apiKey),
  };
}

function completeLimits(given: Partial<Limits>): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!(name in DEFAULT_LIMITS)) throw new TypeError(`limits.${name} is not a limit`);
    if (!Number.isFinite(value) || value < 0) {
      throw new TypeError(`limits.${name} must be a number, 0 or more`);
    }
  }
  return { ...DEFAULT_LIMITS, ...given };
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an absolute http or https URL');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function checkApiKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey) && apiKey.length === API_KEY_LENGTH) return apiKey;
  throw new TypeError(
    `apiKey must be ${API_KEY_LENGTH} printable characters, this one has ${apiKey.length}`,
  );
}

async function defaultSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal });
}
