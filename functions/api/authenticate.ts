// Who is asking: resolves the Bearer key to its owner, and lets the deployment's admin key in the
// first time it is seen.
import type { AccessStore } from '#shared/store/access.ts';
import { type ApiKey, apiKeyPrefix, hashApiKey } from '#shared/watchlist/api-key.ts';
import { newId } from '#shared/watchlist/id.ts';
import { ProblemError } from './problem.ts';

interface AuthenticateDeps {
  access: AccessStore;
  /** The admin key made at deploy. */
  readAdminKey: () => Promise<string>;
  now: () => number;
}

/** The one owner that a deployment begins with; fixed, so that two first requests make one. */
const firstOwnerId = 'own_00000000000000000000000000000001';

/** @returns a function from an Authorization header to the key's record; it throws a 401 problem. */
export function createAuthenticate({ access, readAdminKey, now }: AuthenticateDeps) {
  return async function authenticate(authorization: string | undefined): Promise<ApiKey> {
    const [, key] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (!key?.startsWith(apiKeyPrefix)) throw unauthorized('Send "Authorization: Bearer getin_…"');
    const hash = hashApiKey(key);
    const known = await access.findApiKey(hash);
    if (known) return known;
    if (hash !== hashApiKey(await readAdminKey())) throw unauthorized('This API key is not known');
    return admitAdmin(hash);
  };

  async function admitAdmin(hash: string): Promise<ApiKey> {
    const createdAt = new Date(now()).toISOString();
    await access.createOwner({ ownerId: firstOwnerId, name: 'admin', createdAt });
    const apiKey: ApiKey = {
      hash,
      keyId: newId('apiKey'),
      ownerId: firstOwnerId,
      scope: 'admin',
      createdAt,
    };
    await access.createApiKey(apiKey);
    return apiKey;
  }
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError(401, 'unauthorized', detail);
}
