// Reads one secret from Secrets Manager and keeps it for a while; a secret that can no longer be read
// is served stale rather than not at all.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Long enough to make the cost nothing, short enough for a rotated key to be picked up. */
const cachedForMs = 5 * 60_000;

/** Thrown when a secret has never been readable: nothing can be done until the operator sets it. */
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
  let kept: { value: string; readAt: number } | undefined;

  return async function readSecret() {
    if (kept && now() - kept.readAt < cachedForMs) return kept.value;
    try {
      const answer = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (!answer.SecretString) throw new SecretUnavailableError('the secret has no string value');
      kept = { value: answer.SecretString, readAt: now() };
      return kept.value;
    } catch (cause) {
      if (kept) return kept.value;
      throw new SecretUnavailableError('a secret could not be read', { cause });
    }
  };
}
