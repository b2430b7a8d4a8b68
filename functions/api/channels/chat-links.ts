// The links by which readers connect their chats to channels: makes one, and carries out its use.
import { randomBytes } from 'node:crypto';
import type { Channel } from '#shared/delivery/channel.ts';
import { type TelegramChat, telegram } from '#shared/delivery/channels/telegram.ts';
import {
  channelOfToken,
  chatLinkToken,
  isTokenOf,
  linkRandomBytes,
  openLink,
} from '#shared/delivery/telegram/chat-link.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import { staleVersion } from '../conventions/if-match.ts';
import { createReleaseWaiting } from './release-waiting.ts';

interface ChatLinkDeps {
  stores: Pick<Stores, 'channels' | 'channelChats' | 'channelHealth' | 'deliveries'>;
  senders: ChannelSenders;
}

/** How the use of a link ended. `linked` also for the chat that the channel has already. */
export type LinkUse =
  | { kind: 'linked'; channel: Channel }
  | { kind: 'unknown' | 'used' | 'expired' };

/** After this many concurrent changes of the channel, Telegram repeats the update. */
const mostTries = 5;

/** The use cases; every `now` is epoch milliseconds. */
export function createChatLinks({ stores, senders }: ChatLinkDeps) {
  const { channels, channelChats, channelHealth } = stores;
  const releaseWaiting = createReleaseWaiting({ stores, senders });

  return { open, use };

  /**
   * Makes the channel's link; an earlier one that was not used ends.
   * @returns its token, and when it expires; undefined when another request changed the channel since it was read.
   */
  async function open(
    channel: Channel,
    now: number,
  ): Promise<{ token: string; expiresAt: number } | undefined> {
    const { channelId, target: before } = channel;
    if (before.kind !== telegram.kind) return undefined;
    const token = chatLinkToken(channelId, randomBytes(linkRandomBytes));
    const link = openLink(token, now);
    const target = { ...before, link };
    const isWritten = await channels.changeSettings(channelId, { target }, channel);
    return isWritten ? { token, expiresAt: link.expiresAt } : undefined;
  }

  /** Connects a chat to the channel of a link. A repeat changes nothing. @throws ProblemError 412 after too many concurrent changes. */
  async function use(token: string, chat: TelegramChat, now: number): Promise<LinkUse> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const found = await tryUse(token, chat, now);
      if (found) return found;
    }
    throw staleVersion();
  }

  /** @returns undefined when the channel was changed at the same moment. */
  async function tryUse(
    token: string,
    chat: TelegramChat,
    now: number,
  ): Promise<LinkUse | undefined> {
    const channelId = channelOfToken(token);
    const channel = channelId === undefined ? undefined : await channels.find(channelId);
    if (channelId === undefined || channel?.target.kind !== telegram.kind) {
      return { kind: 'unknown' };
    }
    const { link, chat: own } = channel.target;
    if (!link || !isTokenOf(token, link)) {
      const isSame = own?.id === chat.id && own.threadId === chat.threadId;
      if (!isSame || channel.status !== 'active') return { kind: 'used' };
      await settle(channel, chat, now);
      return { kind: 'linked', channel };
    }
    if (link.expiresAt <= now) return { kind: 'expired' };
    // First, so that a crash in between leaves a note that leads nowhere, and no chat that can't be stopped.
    await channelChats.put(channelId, chat.id);
    if (await channels.connect(channel, { kind: telegram.kind, chat })) {
      await settle(channel, chat, now);
      return { kind: 'linked', channel };
    }
    if (!(await channels.find(channelId))) await channelChats.forget(channelId);
    return undefined;
  }

  /** What follows when a channel has a chat; a repeat after a crash does it again. */
  async function settle(channel: Channel, chat: TelegramChat, now: number): Promise<void> {
    await channelChats.forget(channel.channelId, chat.id);
    await channelHealth.recover(channel.channelId);
    await releaseWaiting(channel, now);
  }
}

export type ChatLinks = ReturnType<typeof createChatLinks>;
