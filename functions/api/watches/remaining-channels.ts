// The channels of an earlier state of a watch that still exist.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

type Channels = Pick<Watch, 'channelIds' | 'fallbackChannelId'>;

export interface RemainingChannels extends Channels {
  /** The ids of those that are gone. */
  leftOut: string[];
}

/** The owner's channels among those wanted; a fallback that is gone, or one of the channels, is left out. */
export async function remainingChannels(
  { channels }: Pick<Stores, 'channels'>,
  ownerId: string,
  { channelIds, fallbackChannelId }: Channels,
): Promise<RemainingChannels> {
  const all = [...new Set([...channelIds, fallbackChannelId].flatMap((id) => id ?? []))];
  const found = await Promise.all(all.map((id) => channels.find(id)));
  const isThere = (id: string) => found[all.indexOf(id)]?.ownerId === ownerId;
  const isFallbackFit =
    fallbackChannelId !== undefined &&
    isThere(fallbackChannelId) &&
    !channelIds.includes(fallbackChannelId);
  return {
    channelIds: channelIds.filter(isThere),
    fallbackChannelId: isFallbackFit ? fallbackChannelId : undefined,
    leftOut: all.filter((id) => !isThere(id)),
  };
}
