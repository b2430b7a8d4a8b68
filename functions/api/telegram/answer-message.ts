// A message to the bot: a command, a link that was opened, or a group that became a supergroup.
import type { Channel } from '#shared/delivery/channel.ts';
import type { TelegramBot } from '#shared/delivery/telegram/bot.ts';
import type { Button } from '#shared/delivery/telegram/keyboard.ts';
import type { StoreMoved } from '#shared/delivery/telegram/store-moved.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChatLinks } from '../channels/chat-links.ts';
import type { BotCall } from './bot-use.ts';
import { type ChatChannel, channelsInChat, chatIn, resumeButtons } from './chat-channels.ts';
import {
  activeText,
  helpText,
  linkedText,
  linkTexts,
  nothingToStopText,
  notLinkedText,
  offText,
  stoppedText,
} from './chat-texts.ts';
import type { UpdateMessage } from './update-schema.ts';

interface AnswerMessageDeps {
  stores: Pick<Stores, 'channels' | 'channelChats'>;
  links: Pick<ChatLinks, 'use'>;
  storeMoved: StoreMoved;
  /** Ends all messages to a channel, as its reader wishes. */
  stop: (channel: Channel) => Promise<void>;
}

/** A command for a bot: its name, the bot that it names, and what follows. */
const command = /^\/(?<name>[a-z]{1,32})(?:@(?<bot>\w{1,64}))?(?:\s+(?<rest>\S.*))?$/is;

/** What the bot says. */
interface Said {
  text: string;
  buttons?: Button[][];
}

export function createAnswerMessage({ stores, links, storeMoved, stop }: AnswerMessageDeps) {
  return async function answerMessage(
    message: UpdateMessage,
    bot: TelegramBot,
    now: number,
  ): Promise<BotCall[]> {
    if (message.migrate_to_chat_id !== undefined) {
      await move(message.chat.id, message.migrate_to_chat_id);
      return [];
    }
    const said = await carryOut(message, bot, now);
    return said ? [sending(message, said)] : [];
  };

  async function carryOut(
    message: UpdateMessage,
    bot: TelegramBot,
    now: number,
  ): Promise<Said | undefined> {
    const { name = '', bot: asked, rest = '' } = command.exec(message.text ?? '')?.groups ?? {};
    const isForUs = asked === undefined || asked.toLowerCase() === bot.username.toLowerCase();
    if (!isForUs) return undefined;
    switch (name.toLowerCase()) {
      case 'start':
        return rest === '' ? tellState(message) : useLink(rest.trim(), message, now);
      case 'stop':
        return stopAll(message);
      case 'help':
        return { text: helpText };
      default:
        // People talk to each other in a group.
        return message.chat.type === 'private' ? { text: helpText } : undefined;
    }
  }

  async function useLink(token: string, message: UpdateMessage, now: number): Promise<Said> {
    const used = await links.use(token, chatIn(message), now);
    return { text: used.kind === 'linked' ? linkedText : linkTexts[used.kind] };
  }

  async function tellState(message: UpdateMessage): Promise<Said> {
    const channels = await channelsHere(message);
    if (channels.some(({ status }) => status === 'active')) return { text: activeText };
    const stopped = channels.filter(({ status }) => status === 'unsubscribed');
    if (stopped.length === 0) return { text: notLinkedText };
    return { text: offText, buttons: resumeButtons(stopped) };
  }

  async function stopAll(message: UpdateMessage): Promise<Said> {
    const channels = await channelsHere(message);
    if (channels.length === 0) return { text: nothingToStopText };
    for (const channel of channels) await stop(channel);
    return { text: stoppedText, buttons: resumeButtons(channels) };
  }

  /** The channels of the topic in which somebody wrote, or of the chat. */
  async function channelsHere(message: UpdateMessage): Promise<ChatChannel[]> {
    const { id, threadId } = chatIn(message);
    const all = await channelsInChat(stores, id);
    return all.filter(({ target }) => target.chat.threadId === threadId);
  }

  async function move(fromId: number, toId: number): Promise<void> {
    for (const channel of await channelsInChat(stores, fromId)) {
      const { target } = channel;
      await storeMoved(channel, { ...target, chat: { ...target.chat, id: toId } });
    }
  }
}

function sending(message: UpdateMessage, { text, buttons }: Said): BotCall {
  const { id, threadId } = chatIn(message);
  return {
    method: 'sendMessage',
    params: {
      ...{ chat_id: id, message_thread_id: threadId, text },
      ...(buttons && { reply_markup: { inline_keyboard: buttons } }),
    },
  };
}
