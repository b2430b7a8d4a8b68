// A group that became a supergroup has another id. Stores it with the channel.
import type { ChannelChatStore } from '#shared/dynamo/channel-chats.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { Channel } from '../channel.ts';
import {
  type AddressedTarget,
  channelTargetSchema,
  type HttpTarget,
} from '../channels/channels.ts';

interface StoreMovedDeps {
  channels: Pick<ChannelStore, 'changeSettings'>;
  channelChats: Pick<ChannelChatStore, 'put'>;
}

/** @param moved the channel's target at its new place. The URL to post to is not stored. */
export type StoreMoved = (channel: Channel, moved: HttpTarget | AddressedTarget) => Promise<void>;

/**
 * A repeat stores the same. A channel that was changed meanwhile keeps that; the next message moves it. The note of
 * the old chat stays until the channel has another link, and leads nowhere.
 */
export function createStoreMoved({ channels, channelChats }: StoreMovedDeps): StoreMoved {
  return async function storeMoved(channel, moved) {
    const target = channelTargetSchema.parse(moved);
    if (!('chat' in target) || !target.chat) return;
    const { channelId } = channel;
    await channelChats.put(channelId, target.chat.id);
    await channels.changeSettings(channelId, { target }, channel);
  };
}
