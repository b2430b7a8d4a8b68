// The faults of a change of a watch that its schema can't see: of its channels, its fallback and its rules.
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Fault } from '../faults.ts';
import { channelFaults, fallbackFaults, zoneFaults } from './check-watch.ts';

type Channels = Pick<ChannelStore, 'find'>;

/** A change of a watch; `zones` are its event's zones, if they are known and the change has rules. */
export interface CheckedChange {
  changes: WatchChanges;
  zones: readonly string[] | undefined;
}

/** Checks only what the change names; `now` is epoch milliseconds. */
export async function faultsOfChange(
  channels: Channels,
  before: Watch,
  { changes, zones }: CheckedChange,
  now: number,
): Promise<Fault[]> {
  const { channelIds, rules = [] } = changes;
  const known = new Set(before.rules.map(({ rule }) => canonicalRule(rule)));
  return [
    ...(channelIds ? await channelFaults(channels, before.ownerId, channelIds) : []),
    ...(await fallbackFaultsOf(channels, before, changes)),
    // An unchanged rule may name a zone that is sold out now.
    ...rules.flatMap(({ rule }, index) =>
      known.has(canonicalRule(rule))
        ? []
        : zoneFaults([rule], zones, now).map(({ pointer, ...fault }) => ({
            ...fault,
            pointer: pointer.replace('#/rules/0', `#/rules/${index}`),
          })),
    ),
  ];
}

/** The fallback and the channels are checked together if either changes. */
async function fallbackFaultsOf(
  channels: Channels,
  before: Watch,
  after: WatchChanges,
): Promise<Fault[]> {
  if (!('fallbackChannelId' in after) && after.channelIds === undefined) return [];
  const { ownerId, channelIds, fallbackChannelId: fallbackId } = { ...before, ...after };
  return fallbackFaults(channels, ownerId, { channelIds, fallbackId });
}
