// What a link in a message is about.
import type { Channel } from '#shared/delivery/channel.ts';
import type { Link } from '#shared/delivery/links.ts';
import { isStorableId } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';

/** The target of a link. */
export interface Place {
  link: Link;
  channel: Channel;
  /** The watch that the message was about, if it exists and belongs to the channel's owner. */
  watch: Watch | undefined;
}

/**
 * @param watchId from the link's address.
 * @returns undefined for a link that is not valid.
 */
export async function findPlace(
  { stores, links, now }: Pick<ApiDeps, 'stores' | 'links' | 'now'>,
  token: string,
  watchId: string | undefined,
): Promise<Place | 'deleted' | undefined> {
  const link = await links.read(token, now());
  if (!link) return undefined;
  const channel = await stores.channels.find(link.channelId);
  if (!channel) return 'deleted';
  const isId = watchId !== undefined && watchId !== '' && isStorableId(watchId);
  const watch = isId ? await stores.watches.find(watchId) : undefined;
  return { link, channel, watch: watch?.ownerId === channel.ownerId ? watch : undefined };
}
