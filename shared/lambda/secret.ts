// Reads one secret from Secrets Manager through a cache. If a later read fails, the cached secret is
// used, however old.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { cached } from './cache.ts';

/** Long enough that the calls cost almost nothing, short enough that a rotated key is used soon. */
const cachedForMs = 5 * 60_000;

/** Thrown when a secret could never be read: the operator must set it. */
export class SecretUnavailableError extends Error {
  override readonly name = 'SecretUnavailableError';
}

/**
 * A reader of one secret's string value.
 * @returns a function that resolves to the value, read at most every 5 minutes.
 */
export function createSecretReader(
  client: SecretsManagerClient,
  secretId: string,
  now: () => number,
): () => Promise<string> {
  const options = { forMs: cachedForMs, now, servesStale: true };
  const readSecret = cached((id: string) => fetchSecret(client, id), options);
  return () => readSecret(secretId);
}

async function fetchSecret(client: SecretsManagerClient, secretId: string): Promise<string> {
  try {
    const answer = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    if (!answer.SecretString) throw new SecretUnavailableError('the secret has no string value');
    return answer.SecretString;
  } catch (cause) {
    throw new SecretUnavailableError('a secret could not be read', { cause });
  }
}
