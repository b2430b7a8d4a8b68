// Which channels a chat has, in the Watchlist table: an item in the partition of each channel, which the owner index
// finds by the chat. The index may lag, and a chat may have moved, so the channel itself says which chat it has.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { item, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { chatDigest } from '#shared/delivery/channels/telegram.ts';
import { fromKey, namedByKey } from './attribute-readings.ts';
import { ownerIndexPage } from './owner-index.ts';
import { leniently, readAll } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const sortPrefix = 'CHAT#';
/** A chat with more channels than this gets the same alerts many times over. */
const mostChannels = 100;

/** Reads and writes of the chats of channels. */
export function createChannelChatStore(table: WatchlistTable) {
  const chats = new Entity({
    name: 'channelChat',
    table,
    timestamps: false,
    schema: item({
      channelId: string().key(),
      /** A digest of the chat's id, which is that of its reader. */
      chat: string().key(),
      ownerKey: string(),
      ownerSort: string(),
    }),
    computeKey: ({ channelId, chat }) => ({ pk: `CHANNEL#${channelId}`, sk: sortPrefix + chat }),
  });
  const reading = leniently(chats, {
    channelId: fromKey('CHANNEL#'),
    chat: namedByKey(({ sk }) => String(sk).slice(sortPrefix.length)),
    ownerKey: { otherwise: ({ sk }) => indexKey(String(sk).slice(sortPrefix.length)) },
    ownerSort: { otherwise: ({ pk }) => String(pk).slice('CHANNEL#'.length) },
  });

  return {
    /** Notes that a channel has a chat. A repeat changes nothing. */
    async put(channelId: string, chatId: number): Promise<void> {
      const chat = chatDigest(chatId);
      await chats
        .build(PutItemCommand)
        .item({ channelId, chat, ownerKey: indexKey(chat), ownerSort: channelId })
        .send();
    },

    /** The channels that have a chat or had it, the newest first. */
    async channelsOf(chatId: number): Promise<string[]> {
      const key = indexKey(chatDigest(chatId));
      const { rows } = await ownerIndexPage(table, chats, key, { limit: mostChannels }, reading);
      return rows.map(({ channelId }) => channelId);
    },

    /** Forgets the chats of a channel, except one. */
    async forget(channelId: string, exceptChatId?: number): Promise<void> {
      const query = table
        .build(QueryCommand)
        .query({ partition: `CHANNEL#${channelId}`, range: { beginsWith: sortPrefix } });
      const kept = exceptChatId === undefined ? undefined : chatDigest(exceptChatId);
      const found = await readAll(query, chats, reading);
      for (const { chat } of found.filter((each) => each.chat !== kept)) {
        await chats.build(DeleteItemCommand).key({ channelId, chat }).send();
      }
    },
  };
}

/** The partition of a chat in the owner index. */
function indexKey(chat: string): string {
  return `chat#${chat}`;
}

export type ChannelChatStore = ReturnType<typeof createChannelChatStore>;
