// Defaults of an owner and of its tags: the values for settings that a watch leaves open.
import * as z from 'zod';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { changeDefaults, defaultsChangeSchema } from '#shared/watchlist/defaults-request.ts';
import type { DefaultSettings, OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults, ProblemError } from '../problem.ts';
import { channelFaults } from '../watches/check-watch.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const tag = 'Defaults';
/** Number of watches updated at once. */
const watchesAtOnce = 16;

const settings = {
  channels: z.array(z.string()).nullable(),
  latency_seconds: z.int().nullable(),
};

export const defaultsJsonSchema = z
  .object({
    ...settings,
    tags: z.record(z.string(), z.object(settings)),
    watches_changed: z.int().optional().meta({
      description: 'In the answer to a change: number of watches that changed with these defaults',
    }),
  })
  .meta({
    id: 'Defaults',
    description:
      'Default settings of watches. A watch’s own setting wins, then the first of its tags that sets it, then these.',
  });

/** read, change. */
export function defaultsOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [readOperation(deps), changeOperation(deps, use)];
}

function readOperation({ stores }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/defaults',
    tag,
    summary: 'Your defaults',
    description:
      'The channels and the latency of watches that don’t set their own, for all watches and by tag.',
    access: 'read',
    answer: { status: 200, description: 'They', schema: defaultsJsonSchema, hasVersion: true },
    handle: async ({ ownerId }) => {
      const defaults = await stores.ownerDefaults.find(ownerId);
      return { body: defaultsJson(defaults), version: defaults.version };
    },
  });
}

function changeOperation({ stores }: ApiDeps, { changeWatch }: WatchlistUse) {
  return defineOperation({
    method: 'patch',
    path: '/v1/defaults',
    tag,
    summary: 'Change your defaults',
    description:
      'Watches that inherit a setting change with it. Fields that are absent keep their values.',
    access: 'write',
    body: defaultsChangeSchema,
    replaces: ['channels'],
    bodyExamples: {
      channels: {
        summary: 'A channel for all, another latency for one tag',
        value: { channels: [exampleIds.channel], tags: { finals: { latency_seconds: 300 } } },
      },
    },
    answer: { status: 200, description: 'They', schema: defaultsJsonSchema, hasVersion: true },
    handle: async ({ ownerId, body, ifMatch, by, now }) => {
      const before = await stores.ownerDefaults.find(ownerId);
      requireMatch(ifMatch, before.version);
      const after = changeDefaults(before, body);
      const faults = await channelsFaults(stores, ownerId, body);
      if (faults.length > 0) throw invalidFaults(faults);
      if (!(await stores.ownerDefaults.replace(before, after))) throw staleVersion();
      const changed = await followAll(ownerId, { by: { ...by, way: 'defaults' }, now });
      return {
        body: { ...defaultsJson(after), watches_changed: changed },
        version: after.version,
      };
    },
  });

  /** A watch that another request changes at the same time reads the new defaults then, or at its next change. */
  async function followAll(ownerId: string, mark: ChangeMark): Promise<number> {
    const followers = (await stores.watches.listAll(ownerId)).filter(
      ({ inherits = [] }) => inherits.length > 0,
    );
    let changed = 0;
    for (let start = 0; start < followers.length; start += watchesAtOnce) {
      const lot = followers.slice(start, start + watchesAtOnce);
      const outcomes = await Promise.all(lot.map(({ watchId }) => follow(watchId, mark)));
      changed += outcomes.filter(Boolean).length;
    }
    return changed;
  }

  async function follow(watchId: string, mark: ChangeMark): Promise<boolean> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const watch = await stores.watches.find(watchId);
      if (!watch || watch.removedAt !== undefined) return false;
      try {
        return (await changeWatch.followDefaults(watch, mark)).version !== watch.version;
      } catch (error) {
        if (!(error instanceof ProblemError) || error.status !== 412) throw error;
      }
    }
    return false;
  }
}

async function channelsFaults(
  { channels }: Pick<ApiDeps['stores'], 'channels'>,
  ownerId: string,
  change: z.infer<typeof defaultsChangeSchema>,
) {
  const places = [
    { at: '#/channels', ids: change.channels },
    ...Object.entries(change.tags ?? {}).map(([name, own]) => ({
      at: `#/tags/${name}/channels`,
      ids: own?.channels,
    })),
  ];
  const faults = await Promise.all(
    places.map(async ({ at, ids }) => {
      const found = ids ? await channelFaults(channels, ownerId, ids) : [];
      return found.map((fault) => ({ ...fault, pointer: fault.pointer.replace('#/channels', at) }));
    }),
  );
  return faults.flat();
}

function defaultsJson({ all, tags }: OwnerDefaults): z.infer<typeof defaultsJsonSchema> {
  return {
    ...settingsJson(all),
    tags: Object.fromEntries(Object.entries(tags).map(([name, own]) => [name, settingsJson(own)])),
  };
}

function settingsJson({ channelIds, latencySeconds }: DefaultSettings) {
  return { channels: channelIds ?? null, latency_seconds: latencySeconds ?? null };
}
