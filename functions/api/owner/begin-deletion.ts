// Begins the deletion of everything that is stored of an owner. The job is stored first and then the owner is marked, so
// a crash in between leaves a job that marks the owner itself. Of two requests at once, one deletion is carried out.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { OwnerDeletion } from '#shared/watchlist/owner.ts';
import type { BeginJob } from '../jobs/begin-job.ts';

interface BeginDeletionDeps {
  stores: Pick<Stores, 'access'>;
  beginJob: BeginJob;
  revokeKeys: RevokeKeys;
}

/** Stands for the owner of a deletion's job: the job outlasts its owner, and must not name it. */
export const ofDeletions = 'deletion';

/** @returns the deletion that is carried out; undefined if the owner is gone. */
export function createBeginDeletion({
  stores: { access },
  beginJob,
  revokeKeys,
}: BeginDeletionDeps) {
  return async function beginDeletion(
    ownerId: string,
    deletionId: string,
    now: number,
  ): Promise<OwnerDeletion | undefined> {
    await beginJob({
      ...{ jobId: deletionId, ownerId: ofDeletions, kind: 'deletion', now },
      cursor: { ownerId },
    });
    await access.beginDeletion(ownerId, { deletionId, since: now });
    const deletion = (await access.findOwner(ownerId))?.deletion;
    if (deletion) await revokeKeys(ownerId, deletion);
    return deletion;
  };
}

export type RevokeKeys = (ownerId: string, deletion: OwnerDeletion) => Promise<void>;

/** Ends every key of an owner that is being deleted; each then says so. */
export function createRevokeKeys({ apiKeys }: Pick<Stores, 'apiKeys'>): RevokeKeys {
  return async function revokeKeys(ownerId, { deletionId, since }) {
    const revokedAt = new Date(since).toISOString();
    const keys = await apiKeys.listAll(ownerId);
    const open = keys.filter((apiKey) => apiKey.deletionId === undefined);
    await Promise.all(open.map((apiKey) => apiKeys.revokeFor(deletionId, apiKey, revokedAt)));
  };
}
