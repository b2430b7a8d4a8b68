// What a schema cannot know of a watch: whether its channels are the owner's, whether the event has the
// zones, whether there is room. Faults, not exceptions, so that all are told at once.

import type { ChannelStore } from '#shared/dynamo/channels.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import type { Fault } from '../faults.ts';

/** Channels that are not the owner's look as if they did not exist. */
export async function channelFaults(
  channels: Pick<ChannelStore, 'find'>,
  ownerId: string,
  channelIds: readonly string[],
): Promise<Fault[]> {
  if (channelIds.length === 0) {
    return [{ pointer: '#/channels', detail: 'must name a channel: you have no default channel' }];
  }
  const found = await Promise.all(channelIds.map((id) => channels.find(id)));
  return found.flatMap((channel, index) =>
    channel?.ownerId === ownerId
      ? []
      : [{ pointer: `#/channels/${index}`, detail: 'is no channel of yours' }],
  );
}

/**
 * A fallback must be another channel of the owner's than those that the watch is told by anyhow; undefined
 * for none.
 */
export async function fallbackFaults(
  channels: Pick<ChannelStore, 'find'>,
  ownerId: string,
  { channelIds, fallbackId }: { channelIds: readonly string[]; fallbackId: string | undefined },
): Promise<Fault[]> {
  if (fallbackId === undefined) return [];
  const pointer = '#/fallback_channel';
  if (channelIds.includes(fallbackId)) {
    return [{ pointer, detail: 'must not be one of the watch’s own channels' }];
  }
  const fallback = await channels.find(fallbackId);
  return fallback?.ownerId === ownerId ? [] : [{ pointer, detail: 'is no channel of yours' }];
}

/** What is checked of a watch without asking the market; `zones` are those of its event where known. */
export interface CheckedWatch {
  channelIds: readonly string[];
  fallbackId: string | undefined;
  rules: readonly unknown[];
  zones: readonly string[] | undefined;
}

/** All faults of a new watch: of its channels, its fallback and its rules. */
export async function watchFaults(
  channels: Pick<ChannelStore, 'find'>,
  ownerId: string,
  { channelIds, fallbackId, rules, zones }: CheckedWatch,
  now: number,
): Promise<Fault[]> {
  return [
    ...(await channelFaults(channels, ownerId, channelIds)),
    ...(await fallbackFaults(channels, ownerId, { channelIds, fallbackId })),
    ...zoneFaults(rules, zones, now),
  ];
}

/** Zones that the event does not have, and rules that are over before they begin. */
export function zoneFaults(
  rules: readonly unknown[],
  zones: readonly string[] | undefined,
  now: number,
  at = '#/rules',
): Fault[] {
  return rules.flatMap((rule, index) => {
    const reading = readRule(rule, { zones, now });
    if (reading.ok) return [];
    return reading.faults.map(({ pointer, message }) => ({
      pointer: `${at}/${index}${pointer}`,
      detail: message,
    }));
  });
}
