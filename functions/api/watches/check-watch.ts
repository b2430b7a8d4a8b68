// Checks what a watch's schema can't: whether its channels are the owner's, whether the event has the
// zones, whether there is room. Returns faults instead of exceptions, so that all are reported at once.

import { type ChannelTarget, kindOf } from '#shared/delivery/channels/channels.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import type { Fault } from '../faults.ts';

/** Another owner's channels get the same fault as channels that don't exist. A channel may be named twice. */
export async function channelFaults(
  channels: Pick<ChannelStore, 'find'>,
  ownerId: string,
  channelIds: readonly string[],
): Promise<Fault[]> {
  if (channelIds.length === 0) {
    return [{ pointer: '#/channels', detail: 'must name a channel: you have no default channel' }];
  }
  const found = await Promise.all(channelIds.map((id) => channels.find(id)));
  const places = found.map((channel) => channel && placeOf(channel.target));
  return found.flatMap((channel, index) => {
    const pointer = `#/channels/${index}`;
    if (channel?.ownerId !== ownerId) return [{ pointer, detail: 'is no channel of yours' }];
    const first = places.indexOf(places[index]);
    if (channelIds[first] === channelIds[index]) return [];
    const detail = `has the same address as channel ${first}, so each alert would come twice`;
    return [{ pointer, detail }];
  });
}

/** Equal for targets that reach the same reader. */
function placeOf(target: ChannelTarget): string {
  return kindOf(target).readerOf(target);
}

/**
 * A fallback must be another channel of the owner, not one that the watch already uses; undefined
 * means no fallback.
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

/** The parts of a watch that are checked without a marketplace call; `zones` are its event's zones, if known. */
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

/** Zones that the event does not have, and rules that expire before they begin. */
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
