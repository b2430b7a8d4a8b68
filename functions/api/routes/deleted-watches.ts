// Deleted watches: a page of them, and their restoration.
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation } from '../operation.ts';
import { createRestoreDeleted } from '../watches/restore-deleted.ts';
import { restoredJson, restoredJsonSchema } from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { watchParams } from './watches.ts';

/** The operation that brings a deleted watch back. */
export function restoreDeletedOperation(deps: ApiDeps, use: WatchlistUse) {
  const restoreDeleted = createRestoreDeleted({ ...deps, ...use });
  return defineOperation({
    method: 'post',
    path: '/v1/watches/{id}/restore',
    tag: 'Watches',
    summary: 'Restore a deleted watch',
    description:
      'For 7 days after its deletion, a watch comes back under its old id with its rules, settings and history: what it has announced is not announced again. Channels that no longer exist are left out and named in `channels_left_out`; without any channel left, the watch is restored paused. 409 if its event is over, or if the same watch was made again since: `watch_id` names that one. Without effect on a watch that is not deleted.',
    access: 'write',
    params: watchParams,
    answer: {
      status: 200,
      description: 'The restored watch',
      schema: restoredJsonSchema,
      hasVersion: true,
    },
    refusals: [412],
    handle: async ({ ownerId, params, by, now }) => {
      const watch = await use.ownedOrDeleted(params.id, ownerId, now);
      const isDeleted = watch.removedAt !== undefined;
      const restored = isDeleted
        ? await restoreDeleted(watch, { by, now })
        : { watch, leftOut: [] };
      const body = restoredJson(await use.current(restored.watch, now), restored.leftOut);
      return { body, version: restored.watch.version };
    },
  });
}
