// A function's calls to the marketplace: their key comes from Secrets Manager, and a rotated key opens
// a new connection. A function names the endpoints that it calls, so that it loads no others' schemas.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { completeOptions } from '#shared/marketplace/client-options.ts';
import { Transport } from '#shared/marketplace/transport.ts';
import { timing } from '#shared/timing.ts';
import { createSecretReader } from './secret.ts';

/** A function must not sleep for long: a longer wait goes back to the queue. */
const limits = {
  maxWaitMs: timing.marketplaceWaitMs,
  requestTimeoutMs: timing.marketplaceTimeoutMs,
  maxRetries: timing.marketplaceRetries,
};

/** `never` is what every parameter takes, so this is a call of any endpoint. */
type EndpointCall = (transport: Transport, ...rest: never[]) => unknown;

/** The same calls, their transport filled in. */
type Bound<Calls extends Record<string, EndpointCall>> = {
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

/** A reader of the marketplace that a function's environment names. */
export function openMarketplace<Calls extends Record<string, EndpointCall>>(
  secrets: SecretsManagerClient,
  config: { MARKETPLACE_URL: string; MARKETPLACE_KEY_SECRET: string },
  calls: Calls,
): () => Promise<Bound<Calls>> {
  const readKey = createSecretReader(secrets, config.MARKETPLACE_KEY_SECRET, Date.now);
  return createMarketplaceReader({ baseUrl: config.MARKETPLACE_URL, readKey, calls });
}

/** @returns a function that resolves to the calls under the key as it is now. */
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
