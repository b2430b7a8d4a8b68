// The marketplace calls of a function: the API key comes from Secrets Manager, and a rotated key opens
// a new connection. A function names the endpoints it calls, so that it doesn't load the schemas of others.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { completeOptions } from '#shared/marketplace/client-options.ts';
import { Transport } from '#shared/marketplace/transport.ts';
import { timing } from '#shared/timing.ts';
import { createSecretReader } from './secret.ts';

/** Functions must not sleep long: after a longer wait, the message is retried from the queue. */
const limits = {
  maxWaitMs: timing.marketplaceWaitMs,
  requestTimeoutMs: timing.marketplaceTimeoutMs,
  maxRetries: timing.marketplaceRetries,
};

/** A parameter of type `never` accepts every endpoint's function. */
export type EndpointCall = (transport: Transport, ...rest: never[]) => unknown;

/** The same calls without their transport parameter. */
export type Bound<Calls extends Record<string, EndpointCall>> = {
  [Name in keyof Calls]: Calls[Name] extends (
    transport: Transport,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

interface MarketplaceAccess<Calls> {
  baseUrl: string;
  readKey: () => Promise<string>;
  /** Functions of shared/marketplace, under the names that the client gives them. */
  calls: Calls;
}

/** Builds a reader of the marketplace from a function's environment. */
export function openMarketplace<Calls extends Record<string, EndpointCall>>(
  secrets: SecretsManagerClient,
  config: { MARKETPLACE_URL: string; MARKETPLACE_KEY_SECRET: string },
  calls: Calls,
): () => Promise<Bound<Calls>> {
  const readKey = createSecretReader(secrets, config.MARKETPLACE_KEY_SECRET, Date.now);
  return createMarketplaceReader({ baseUrl: config.MARKETPLACE_URL, readKey, calls });
}

/** @returns a function that resolves to the calls with the current key. */
export function createMarketplaceReader<Calls extends Record<string, EndpointCall>>({
  baseUrl,
  readKey,
  calls,
}: MarketplaceAccess<Calls>): () => Promise<Bound<Calls>> {
  let kept: { apiKey: string; bound: Bound<Calls> } | undefined;

  return async function readMarketplace() {
    const apiKey = await readKey();
    if (kept?.apiKey !== apiKey) {
      const transport = new Transport(completeOptions({ baseUrl, apiKey, limits }));
      kept = { apiKey, bound: bind(calls, transport) };
    }
    return kept.bound;
  };
}

function bind<Calls extends Record<string, EndpointCall>>(
  calls: Calls,
  transport: Transport,
): Bound<Calls> {
  const bound = Object.entries(calls).map(([name, call]) => [name, call.bind(null, transport)]);
  return Object.fromEntries(bound) as Bound<Calls>;
}
