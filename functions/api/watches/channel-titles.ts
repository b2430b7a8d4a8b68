// The titles of an owner's channels, for sentences about them.
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { TitleOf } from './watch-differences.ts';

/** Reads all channels of the owner in one request; a channel that is gone has its id as its title. */
export async function readChannelTitles(
  { channels }: Pick<Stores, 'channels'>,
  ownerId: string,
): Promise<TitleOf> {
  const { rows } = await channels.list(ownerId, { limit: 1_000 });
  const titles = new Map(rows.map((channel) => [channel.channelId, channelTitle(channel)]));
  return (channelId) => titles.get(channelId) ?? channelId;
}
