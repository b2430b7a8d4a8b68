// The steps of the deletion of an owner. Each deletes some items of one kind and may be carried out twice: what is gone
// stays gone.
import { createRevokeKeys } from '#functions/api/owner/begin-deletion.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { ownerDayKeys } from '#shared/dynamo/owner-items.ts';
import { hiddenPlace } from '#shared/dynamo/stored-items.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { OwnerDeletion } from '#shared/watchlist/owner.ts';
import { type OwnerList, ownerLists } from '#shared/watchlist/owner-data.ts';
import type { JobDeps } from '../job-kind.ts';
import { createDeleteWatch } from './delete-watch.ts';

/** Where a deletion stands; it is the job's cursor. */
export interface DeletionPlace {
  ownerId: string;
  /** When it began, epoch milliseconds. */
  since: number;
  /** The number of the step in its plan. */
  step: number;
  /** The sort value in the step's list after which to go on. */
  after?: string | undefined;
  /** The channels that are deleted: a message that was under way may store their health again. */
  channelIds: string[];
  /** How often all was gone through again because something was left. */
  rounds: number;
}

/** What a lot of a step did. */
export interface StepResult {
  /** Things that were deleted, by their kind. */
  counts: Record<string, number>;
  /** Where the step goes on; undefined when it is over. */
  next?: string | undefined;
  channelIds?: string[];
}

export type DeletionStep = (place: DeletionPlace, now: number) => Promise<StepResult>;

/** Things of a lot, and how many are deleted at a time. */
const perLot = 50;
const atOnce = 10;
const dayMs = 86_400_000;
/** Sums per day are kept for 40 days. */
const daysKept = 42;

export function createDeletionSteps(deps: JobDeps) {
  const { stores } = deps;
  const { ownerItems, apiKeys, budget, jobs } = stores;
  const revokeKeys = createRevokeKeys(stores);
  const deleteWatch = createDeleteWatch(deps);

  /** Deletes a list page by page; `one` deletes a listed item with all that belongs to it. */
  function listStep(
    list: OwnerList,
    one: (raw: RawItem, now: number) => Promise<void> = deletePartition,
  ): DeletionStep {
    return async ({ ownerId, after }, now) => {
      const page = { limit: perLot, after };
      const { items, next } = await ownerItems.list(ownerId, list, page);
      await inLots(items, atOnce, (raw) => unlessDamaged(raw, () => one(raw, now)));
      return { counts: items.length > 0 ? { [list]: items.length } : {}, next };
    };
  }

  /** One item that can't be deleted must not keep the others; the check at the end finds it. */
  async function unlessDamaged({ pk, sk }: RawItem, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isTransient(error)) throw error;
      const ids = { pk: hiddenPlace(pk), sk: String(sk) };
      reportFault({ thing: 'stored_item', reason: `deletion: ${reasonOf(error)}`, ids, error });
    }
  }

  async function deletePartition(raw: RawItem): Promise<void> {
    await ownerItems.remove(await ownerItems.keysIn(String(raw.pk)), raw);
  }

  /** Everything that a key has stored, and then the key. */
  async function deleteKey({ hash, keyId }: RawItem): Promise<void> {
    const pks = [`IDEMPOTENCY#${keyId}`, `REQUESTS#${keyId}`];
    for (const pk of pks) await ownerItems.remove(await ownerItems.keysIn(pk));
    await apiKeys.remove({ hash: String(hash), keyId: String(keyId) });
  }

  async function deleteCosts({ ownerId }: DeletionPlace, now: number): Promise<StepResult> {
    const days = Array.from({ length: daysKept }, (_, back) =>
      new Date(now - (back - 1) * dayMs).toISOString().slice(0, 10),
    );
    await ownerItems.remove(await ownerItems.found(ownerDayKeys(ownerId, days)));
    for (;;) {
      const before = await budget.settings();
      const { [ownerId]: share, ...ownerShares } = before.ownerShares;
      if (share === undefined) return { counts: {} };
      if (await budget.replaceSettings(before, { ...before, ownerShares })) return { counts: {} };
    }
  }

  async function deleteOwnItems({ ownerId }: DeletionPlace): Promise<StepResult> {
    const all = await ownerItems.keysIn(`OWNER#${ownerId}`);
    await ownerItems.remove(all.filter(({ sk }) => sk !== 'OWNER'));
    return { counts: {} };
  }

  const steps = {
    async cancelJobs({ ownerId, after }, now) {
      const page = { limit: perLot, after };
      const { items, next } = await ownerItems.list(ownerId, 'job', page);
      await inLots(items, atOnce, ({ pk }) => jobs.cancel(String(pk).slice('JOB#'.length), now));
      return { counts: {}, next };
    },
    watches: listStep('watch', deleteWatch),
    deletedWatches: listStep('deletedWatch', deleteWatch),
    alerts: listStep('alert'),
    deliveries: listStep('delivery'),
    async channels(place, now) {
      const { items } = await ownerItems.list(place.ownerId, 'channel', { limit: perLot });
      const ids = items.map(({ pk }) => String(pk).slice('CHANNEL#'.length));
      const result = await listStep('channel')(place, now);
      const before = place.channelIds.map((id) => `CHANNEL#${id}`);
      for (const pk of before) await ownerItems.remove(await ownerItems.keysIn(pk));
      return { ...result, channelIds: ids };
    },
    notices: listStep('notice'),
    costs: deleteCosts,
    ownItems: deleteOwnItems,
    jobs: listStep('job'),
    keys: listStep('apiKey', deleteKey),
    async owner({ ownerId }) {
      await ownerItems.remove([{ pk: `OWNER#${ownerId}`, sk: 'OWNER' }]);
      return { counts: {} };
    },
  } satisfies Record<string, DeletionStep>;

  return {
    steps: steps as Readonly<Record<keyof typeof steps, DeletionStep>>,

    /** Marks the owner and ends its keys. @returns the deletion that counts; undefined if the owner is gone. */
    async begin(ownerId: string, deletion: OwnerDeletion): Promise<OwnerDeletion | undefined> {
      await stores.access.beginDeletion(ownerId, deletion);
      const standing = (await stores.access.findOwner(ownerId))?.deletion;
      if (standing) await revokeKeys(ownerId, standing);
      return standing;
    },

    /** Whether a list of the owner still has anything. */
    async isAnythingLeft(ownerId: string): Promise<boolean> {
      const found = await Promise.all(
        ownerLists.map((list) => ownerItems.list(ownerId, list, { limit: 1 })),
      );
      return found.some(({ items }) => items.length > 0);
    },
  };
}

export type DeletionSteps = ReturnType<typeof createDeletionSteps>;
export type StepName = keyof DeletionSteps['steps'];
