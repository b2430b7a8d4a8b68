// Resolves the key or the session of a request to the key's record, and stores the deployment's admin key when
// it is first used.
import type { AccessStore } from '#shared/dynamo/access.ts';
import type { ApiKeyStore } from '#shared/dynamo/api-keys.ts';
import type { SessionStore } from '#shared/dynamo/sessions.ts';
import {
  type ApiKey,
  apiKeyPrefix,
  hintOf,
  isValidAt,
  lastUsedEveryMs,
} from '#shared/watchlist/api-key.ts';
import { newId } from '#shared/watchlist/id.ts';
import { hashSecretToken } from '#shared/watchlist/secret-token.ts';
import type { Session } from '#shared/watchlist/session.ts';
import type { Credential } from './credential.ts';
import { problem } from './problem.ts';

interface AuthenticateDeps {
  stores: {
    access: Pick<AccessStore, 'createOwner'>;
    apiKeys: ApiKeyStore;
    sessions: Pick<SessionStore, 'find'>;
  };
  /** The admin key made at deploy. */
  readAdminKey: () => Promise<string>;
  now: () => number;
}

/** The first owner of a deployment. The id is fixed, so that two concurrent first requests create one owner. */
const firstOwnerId = 'own_00000000000000000000000000000001';

/** Who asks. */
interface Admitted {
  apiKey: ApiKey;
  /** Absent for a request with a key. */
  session?: Session;
}

/** @returns a function from a credential to who asks; it throws a 401 problem. */
export function createAuthenticate({ stores, readAdminKey, now }: AuthenticateDeps) {
  const { access, apiKeys, sessions } = stores;

  return async function authenticate(credential: Credential): Promise<Admitted> {
    return credential.kind === 'session'
      ? bySession(credential.token)
      : { apiKey: await byKey(credential.key) };
  };

  async function bySession(token: string): Promise<Admitted> {
    const session = await sessions.find(hashSecretToken(token), now());
    const known = session && (await apiKeys.findByHash(session.keyHash));
    if (!known) throw unauthorized('This session has ended; sign in again');
    return { apiKey: await admit(known), session };
  }

  async function byKey(key: string | undefined): Promise<ApiKey> {
    if (!key?.startsWith(apiKeyPrefix)) throw unauthorized('Send "Authorization: Bearer getin_…"');
    const hash = hashSecretToken(key);
    const known = await apiKeys.findByHash(hash);
    if (known) return admit(known);
    if (hash !== hashSecretToken(await readAdminKey()))
      throw unauthorized('This API key is not known');
    return admitAdmin(key, hash);
  }

  async function admit(known: ApiKey): Promise<ApiKey> {
    if (known.revokedAt !== undefined) throw unauthorized(whyRevoked(known));
    const at = now();
    if (!isValidAt(known, at)) throw unauthorized(rotatedOut(known));
    const notAfter = new Date(at - lastUsedEveryMs).toISOString();
    if (known.lastUsedAt === undefined || known.lastUsedAt <= notAfter) {
      await apiKeys.noteUse(known, new Date(at).toISOString(), notAfter);
    }
    return known;
  }

  async function admitAdmin(key: string, hash: string): Promise<ApiKey> {
    const createdAt = new Date(now()).toISOString();
    await access.createOwner({ ownerId: firstOwnerId, name: 'admin', createdAt });
    const apiKey: ApiKey = {
      hash,
      keyId: newId('apiKey'),
      ownerId: firstOwnerId,
      name: 'made at deploy',
      hint: hintOf(key),
      scope: 'admin',
      createdAt,
      lastUsedAt: createdAt,
    };
    if (await apiKeys.create(apiKey)) return apiKey;
    return (await apiKeys.findByHash(hash)) ?? apiKey;
  }
}

function whyRevoked({ deletionId }: ApiKey): string {
  if (deletionId === undefined) return 'This API key has been revoked';
  return `Everything of the owner of this API key is being deleted; GET /v1/deletions/${deletionId} says how far that is`;
}

function rotatedOut({ endsAt = '', rotatedTo = '' }: ApiKey): string {
  return `This API key was rotated and ended at ${endsAt}; use the key that it was rotated to, ${rotatedTo}`;
}

function unauthorized(detail: string) {
  return problem('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}
