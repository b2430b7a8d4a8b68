// Channels in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { string } from 'dynamodb-toolbox/schema';
import { type Channel, channelSchema } from '#shared/watchlist/channel.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of channels. */
export function createChannelStore(table: WatchlistTable) {
  const channels = new Entity({
    name: 'channel',
    table,
    timestamps: false,
    schema: channelSchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ channelId }) => ({ pk: `CHANNEL#${channelId}`, sk: 'CHANNEL' }),
  });

  return {
    async find(channelId: string): Promise<Channel | undefined> {
      const found = await channels
        .build(GetItemCommand)
        .key({ channelId })
        .options({ consistent: true })
        .send();
      return found.Item;
    },

    async create(channel: Channel): Promise<void> {
      await channels
        .build(PutItemCommand)
        .item({ ...channel, ownerKey: `${channel.ownerId}#channel`, ownerSort: channel.channelId })
        .options({ condition: { attr: 'channelId', exists: false } })
        .send();
    },

    /** Removes a channel; removing it twice is the same as once. */
    async remove(channelId: string): Promise<void> {
      await channels.build(DeleteItemCommand).key({ channelId }).send();
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage<Channel & { ownerSort: string }>(table, channels, `${ownerId}#channel`, page),
  };
}

export type ChannelStore = ReturnType<typeof createChannelStore>;
