// The channels of a chat, and what a command does to them.
import type { Channel } from '#shared/delivery/channel.ts';
import { type TelegramChat, telegram } from '#shared/delivery/channels/telegram.ts';
import { cutTo, singleLine } from '#shared/delivery/message/plain-text.ts';
import { channelButtonData } from '#shared/delivery/telegram/button-data.ts';
import type { Button } from '#shared/delivery/telegram/keyboard.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { presses } from '../links/link-presses.ts';
import type { UpdateChat, UpdateMessage } from './update-schema.ts';

/** A channel that has a chat. */
export type ChatChannel = Channel & { target: { kind: 'telegram'; chat: TelegramChat } };

/** The channels that have a chat now, in any of its topics. */
export async function channelsInChat(
  { channels, channelChats }: Pick<Stores, 'channels' | 'channelChats'>,
  chatId: number,
): Promise<ChatChannel[]> {
  const ids = await channelChats.channelsOf(chatId);
  const found = await Promise.all(ids.map((id) => channels.find(id)));
  return found.filter((channel): channel is ChatChannel => chatOf(channel)?.id === chatId);
}

function chatOf(channel: Channel | undefined): TelegramChat | undefined {
  return channel?.target.kind === telegram.kind ? channel.target.chat : undefined;
}

const titleLimit = 100;

/** The chat of a message as a channel keeps it. */
export function chatIn({ chat, ...message }: UpdateMessage): TelegramChat {
  const threadId = message.is_topic_message ? message.message_thread_id : undefined;
  return { id: chat.id, title: titleOf(chat), ...(threadId !== undefined && { threadId }) };
}

/** A group's title; a person's user name, or the first name. */
function titleOf({ title, username, first_name: firstName }: UpdateChat): string {
  const name = title ?? (username === undefined ? firstName : `@${username}`);
  return cutTo(singleLine(name ?? ''), titleLimit) || 'a chat';
}

/** For each channel a button that undoes its stop. */
export function resumeButtons(channels: readonly Channel[]): Button[][] {
  return channels.map(({ channelId, name, stopUrl }) => [
    {
      text: cutTo(['Send alerts here again', name].filter(Boolean).join(': '), 60),
      callback_data: channelButtonData({ channelId, act: presses.resumeAll.act }, stopUrl),
    },
  ]);
}
