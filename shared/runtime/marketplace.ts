// The marketplace client of a function: its key comes from Secrets Manager, and a rotated key makes
// a new client.
import { MarketplaceClient } from '#shared/marketplace/client.ts';

/**
 * A function must not sleep for long: a wait beyond two seconds goes back to the queue. Three attempts
 * of 12 s fit into the shortest fetch.
 */
const limits = { maxWaitMs: 2_000, requestTimeoutMs: 12_000, maxRetries: 2 };

/** @returns a function that resolves to the client for the key as it is now. */
export function createMarketplaceReader(
  baseUrl: string,
  readKey: () => Promise<string>,
): () => Promise<MarketplaceClient> {
  let kept: { apiKey: string; client: MarketplaceClient } | undefined;

  return async function readMarketplace() {
    const apiKey = await readKey();
    if (kept?.apiKey !== apiKey)
      kept = { apiKey, client: new MarketplaceClient({ baseUrl, apiKey, limits }) };
    return kept.client;
  };
}
