// The marketplace client of a function: its key comes from Secrets Manager, and a rotated key makes
// a new client.
import { MarketplaceClient } from '#shared/marketplace/client.ts';

/** @returns a function that resolves to the client for the key as it is now. */
export function createMarketplaceReader(
  baseUrl: string,
  readKey: () => Promise<string>,
): () => Promise<MarketplaceClient> {
  let kept: { apiKey: string; client: MarketplaceClient } | undefined;

  return async function readMarketplace() {
    const apiKey = await readKey();
    if (kept?.apiKey !== apiKey)
      kept = { apiKey, client: new MarketplaceClient({ baseUrl, apiKey }) };
    return kept.client;
  };
}
