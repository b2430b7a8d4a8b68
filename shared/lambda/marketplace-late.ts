// Opens the marketplace at its first call, for functions that rarely call it.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { atFirstCall } from './at-first-call.ts';
import type { Bound, EndpointCall } from './marketplace.ts';

/** A reader of the marketplace, as `openMarketplace` builds one. */
export function openMarketplaceLate<Calls extends Record<string, EndpointCall>>(
  secrets: SecretsManagerClient,
  config: { MARKETPLACE_URL: string; MARKETPLACE_KEY_SECRET: string },
  loadCalls: () => Promise<Calls>,
): () => Promise<Bound<Calls>> {
  return atFirstCall(async () => {
    const [{ openMarketplace }, calls] = await Promise.all([
      import('./marketplace.ts'),
      loadCalls(),
    ]);
    return openMarketplace(secrets, config, calls);
  });
}
