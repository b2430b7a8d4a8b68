// The versions of a watch: list them, restore one.
import * as z from 'zod';
import { mostVersions } from '#shared/watchlist/watch-version.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { wholeNumberParam } from '../query-params.ts';
import { readChannelTitles } from '../watches/channel-titles.ts';
import { createRestoreVersion } from '../watches/restore-version.ts';
import { watchVersionJson, watchVersionJsonSchema } from '../watches/version-json.ts';
import { restoredJson, restoredJsonSchema } from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const tag = 'Watches';
const watchId = z.string().meta({ description: 'The watch’s id', examples: [exampleIds.watch] });
const versionPlace = /^\d{1,10}$/;

/** list, restore. */
export function watchVersionOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [listOperation(deps, use), restoreOperation(deps, use)];
}

function listOperation({ stores }: ApiDeps, use: WatchlistUse) {
  return defineOperation({
    method: 'get',
    path: '/v1/watches/{id}/versions',
    tag,
    summary: 'The versions of a watch',
    description: `Who changed the watch, when and how, the newest version first. The newest ${mostVersions} versions are kept, each for some time after the change that replaced it (90 days, unless the deployment sets another time). A deleted watch has versions while it can be restored. A snooze or a stop by a link in a message is a version too, without other settings: it makes one channel silent for the watch, which a restore does not change. The end of an event is no change.`,
    access: 'read',
    params: z.object({ id: watchId }),
    query: z.strictObject({
      ...pageParams,
      limit: wholeNumberParam(1, mostVersions)
        .default(20)
        .meta({
          ...{ description: 'Number of rows per page', type: 'integer' },
          ...{ minimum: 1, maximum: mostVersions, default: 20 },
        }),
    }),
    refusals: [409],
    answer: {
      status: 200,
      description: 'A page of versions',
      schema: pageSchema('WatchVersionPage', watchVersionJsonSchema),
    },
    handle: async ({ ownerId, params, query, now }) => {
      const watch = await use.ownedOrDeleted(params.id, ownerId, now);
      const { limit, after } = pageRequest(query, versionPlace);
      const wanted = { limit: mostVersions, now };
      const [earlier, titleOf] = await Promise.all([
        stores.watchVersions.listBefore(watch.watchId, watch.version, wanted),
        readChannelTitles(stores, ownerId),
      ]);
      const versions = [watch, ...earlier];
      const rows = versions.slice(0, mostVersions).map((version, index) => {
        const next = versions[index + 1];
        // Without the version just before it, what a version changed is not known.
        const before = next?.version === version.version - 1 ? next : undefined;
        return watchVersionJson(version, before, { isCurrent: index === 0, titleOf });
      });
      const rest = after === undefined ? rows : rows.filter((row) => row.version < Number(after));
      const shown = rest.slice(0, limit);
      const last = shown.at(-1);
      const page = { rows: shown, ...(rest.length > limit && last && { next: `${last.version}` }) };
      return { body: pageJson(page, (row) => row) };
    },
  });
}

function restoreOperation(deps: ApiDeps, use: WatchlistUse) {
  const restoreVersion = createRestoreVersion({ ...deps, changeWatch: use.changeWatch });
  return defineOperation({
    method: 'post',
    path: '/v1/watches/{id}/versions/{version}/restore',
    tag,
    summary: 'Restore a version of a watch',
    description:
      'Makes a new version with the rules, channels and settings of an earlier one. A rule that the watch still has keeps its history; a rule that it no longer has starts anew under its old id. Channels that no longer exist are left out and named in `channels_left_out`; if all are gone, the watch keeps its present channels.',
    access: 'write',
    params: z.object({
      id: watchId,
      version: wholeNumberParam(0, 9_999_999_999).meta({
        description: 'The number of the version',
        examples: [1],
      }),
    }),
    answer: {
      status: 200,
      description: 'The watch with its new version; unchanged if it has that content already',
      schema: restoredJsonSchema,
      hasVersion: true,
    },
    refusals: [412],
    handle: async ({ ownerId, params, ifMatch, by, newId, now }) => {
      const watch = await use.owned(params.id, ownerId);
      requireMatch(ifMatch, watch.version);
      const mark = { by: { ...by, way: 'restore' as const }, now };
      const { watch: after, leftOut } = await restoreVersion(watch, params.version, newId, mark);
      const body = restoredJson(await use.current(after, now), leftOut);
      return { body, version: after.version };
    },
  });
}
