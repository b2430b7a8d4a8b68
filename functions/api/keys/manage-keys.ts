// What a key may do to keys: those of its own owner, up to its own scope; an admin key to every key.
import {
  type ApiKey,
  apiKeyScopes,
  coversScope,
  createApiKey,
  isValidAt,
  rotationGraceMs,
} from '#shared/watchlist/api-key.ts';
import type { ApiDeps } from '../api-deps.ts';
import { notFound, problem } from '../problem.ts';
import { createQuotas } from '../quotas.ts';

/** A key with its text, which is known only while it is made. */
export interface MadeKey {
  apiKey: ApiKey;
  key: string;
}

interface Wanted extends Pick<ApiKey, 'keyId' | 'ownerId' | 'name' | 'scope'> {
  now: number;
}

/** @throws ProblemError from each function, for what `asker` may not do. */
export function createManageKeys(deps: Pick<ApiDeps, 'stores' | 'quotas' | 'now'>) {
  const { access, apiKeys } = deps.stores;
  const quotas = createQuotas(deps);

  /** The owner whose keys the request is about; another owner's are found by admin keys only. */
  async function ownerOf(asker: ApiKey, named: string | undefined): Promise<string> {
    const ownerId = named ?? asker.ownerId;
    const isAllowed = ownerId === asker.ownerId || asker.scope === 'admin';
    const owner = isAllowed ? await access.findOwner(ownerId) : undefined;
    if (!owner || owner.deletion) throw notFound('owner');
    return ownerId;
  }

  async function find(asker: ApiKey, keyId: string): Promise<ApiKey> {
    const apiKey = await apiKeys.find(keyId);
    const isVisible = apiKey?.ownerId === asker.ownerId || asker.scope === 'admin';
    if (!apiKey || !isVisible) throw notFound('API key');
    return apiKey;
  }

  async function store({ now, ...wanted }: Wanted): Promise<MadeKey> {
    await quotas.takeKey(wanted.ownerId);
    const { key, hash, hint } = createApiKey();
    const apiKey: ApiKey = { ...wanted, hash, hint, createdAt: new Date(now).toISOString() };
    await apiKeys.create(apiKey);
    return { apiKey, key };
  }

  return {
    ownerOf,
    find,

    /** Makes a key with at most the scope of the asking one. */
    async make(asker: ApiKey, wanted: Wanted): Promise<MadeKey> {
      requireCovered(asker, wanted.scope, 'make');
      return store(wanted);
    },

    /** A key that `asker` may change. */
    async findToChange(asker: ApiKey, keyId: string): Promise<ApiKey> {
      const apiKey = await find(asker, keyId);
      requireCovered(asker, apiKey.scope, 'change');
      return apiKey;
    },

    /** Makes a key with the name and scope of the old one, which works for another day. */
    async rotate(old: ApiKey, { keyId, now }: Pick<Wanted, 'keyId' | 'now'>): Promise<MadeKey> {
      // A first try of the same request may have come this far.
      const isFree = old.rotatedTo === undefined || old.rotatedTo === keyId;
      if (!isFree || !isValidAt(old, now)) throw rotatedAlready(old);
      const { ownerId, name, scope } = old;
      const made = await store({ ownerId, name, scope, keyId, now });
      const endsAt = new Date(now + rotationGraceMs).toISOString();
      if (await apiKeys.rotate(old, { rotatedTo: keyId, endsAt })) return made;
      await apiKeys.remove(made.apiKey);
      await quotas.giveKey(ownerId);
      throw rotatedAlready((await apiKeys.find(old.keyId)) ?? old);
    },

    /** Revokes a key. The key of the request can revoke itself only if another valid key has at least its scope. */
    async revoke(asker: ApiKey, apiKey: ApiKey, now: number): Promise<void> {
      if (apiKey.keyId === asker.keyId) await requireAnother(asker, now);
      if (!(await apiKeys.revoke(apiKey, new Date(now).toISOString()))) return;
      await quotas.giveKey(apiKey.ownerId);
    },
  };

  async function requireAnother(asker: ApiKey, now: number): Promise<void> {
    const others = (await apiKeys.listAll(asker.ownerId)).filter(
      (other) =>
        other.keyId !== asker.keyId &&
        other.endsAt === undefined &&
        isValidAt(other, now) &&
        coversScope(other.scope, asker.scope),
    );
    if (others.length > 0) return;
    throw problem(
      'conflict',
      `This is the last valid key with scope ${asker.scope}; make another one first, or rotate this one`,
    );
  }
}

export type ManageKeys = ReturnType<typeof createManageKeys>;

function requireCovered(asker: ApiKey, scope: ApiKey['scope'], verb: 'make' | 'change'): void {
  if (coversScope(asker.scope, scope)) return;
  const allowed = apiKeyScopes.filter((each) => coversScope(asker.scope, each)).join(' or ');
  throw problem(
    'forbidden',
    `A key with scope ${asker.scope} can ${verb} keys with scope ${allowed}, not ${scope}`,
  );
}

function rotatedAlready({ revokedAt, endsAt = '', rotatedTo = '' }: ApiKey) {
  return problem(
    'conflict',
    revokedAt === undefined
      ? `This key was already rotated to ${rotatedTo}, and ends at ${endsAt}; rotate that one`
      : 'This key has been revoked; make a new one with POST /v1/keys',
  );
}
