// The faults of a change of a watch that its schema can't see: of its channels, its fallback and its rules.
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Fault } from '../faults.ts';
import { channelFaults, fallbackFaults, zoneFaults } from './check-watch.ts';
import type { PresentStateReader } from './present-state.ts';

interface FaultsOfChangeDeps {
  channels: Pick<ChannelStore, 'find'>;
  presentState: Pick<PresentStateReader, 'read'>;
}

/** `now` is epoch milliseconds. */
export type FaultsOfChange = (before: Watch, after: WatchChanges, now: number) => Promise<Fault[]>;

/** Checks only what the change names. */
export function createFaultsOfChange({
  channels,
  presentState,
}: FaultsOfChangeDeps): FaultsOfChange {
  return async function faultsOf(before: Watch, after: WatchChanges, now: number) {
    const { channelIds, rules } = after;
    const faults = [
      ...(channelIds ? await channelFaults(channels, before.ownerId, channelIds) : []),
      ...(await fallbackFaultsOf(before, after)),
    ];
    if (!rules) return faults;
    const { zones } = await presentState.read(before.eventId);
    const known = new Set(before.rules.map(({ rule }) => canonicalRule(rule)));
    return [
      ...faults,
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
  };

  /** The fallback and the channels are checked together if either changes. */
  async function fallbackFaultsOf(before: Watch, after: WatchChanges): Promise<Fault[]> {
    if (!('fallbackChannelId' in after) && after.channelIds === undefined) return [];
    const { ownerId, channelIds, fallbackChannelId: fallbackId } = { ...before, ...after };
    return fallbackFaults(channels, ownerId, { channelIds, fallbackId });
  }
}
