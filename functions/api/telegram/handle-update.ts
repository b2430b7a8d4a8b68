// Carries out one update of Telegram: once, however often Telegram sends it.

import type { Channel } from '#shared/delivery/channel.ts';
import { botIdOf, type TelegramBot } from '#shared/delivery/telegram/bot.ts';
import { createStoreMoved } from '#shared/delivery/telegram/store-moved.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createChatLinks } from '../channels/chat-links.ts';
import { presses } from '../links/link-presses.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { createAnswerMessage } from './answer-message.ts';
import type { BotCall } from './bot-use.ts';
import { channelsInChat } from './chat-channels.ts';
import { createPressButton } from './press-button.ts';
import { createPressPage } from './press-page.ts';
import type { TelegramUpdate } from './update-schema.ts';

type UpdateDeps = Pick<
  ApiDeps,
  'stores' | 'senders' | 'links' | 'loadHistory' | 'buyLinks' | 'now'
>;

/** The states of a member that gets no messages: the bot was blocked, removed, or has left. */
const away = new Set(['kicked', 'left']);

/** @returns the use case, whose result is what the bot says. `now` is epoch milliseconds. */
export function createHandleUpdate(
  deps: UpdateDeps,
  { changeWatch }: Pick<WatchlistUse, 'changeWatch'>,
) {
  const { stores } = deps;
  const pressPage = createPressPage(deps, changeWatch);
  const answerMessage = createAnswerMessage({
    stores,
    links: createChatLinks(deps),
    storeMoved: createStoreMoved(stores),
    stop,
  });
  const pressButton = createPressButton({ stores, pressPage });

  return async function handleUpdate(
    update: TelegramUpdate,
    bot: TelegramBot,
    now: number,
  ): Promise<BotCall[]> {
    const place = { botId: botIdOf(bot), updateId: update.update_id };
    if (await stores.handledUpdates.isHandled(place, now)) return [];
    const calls = await carryOut(update, bot, now);
    // Afterwards, so that a crash repeats the update: nothing that it does adds up.
    await stores.handledUpdates.note(place, now);
    return calls;
  };

  async function carryOut(
    { message, callback_query: query, my_chat_member: member }: TelegramUpdate,
    bot: TelegramBot,
    now: number,
  ): Promise<BotCall[]> {
    if (message) return answerMessage(message, bot, now);
    if (query) return pressButton(query);
    if (member && away.has(member.new_chat_member.status)) {
      for (const channel of await channelsInChat(stores, member.chat.id)) await stop(channel);
    }
    return [];
  }

  /** The same as the button of the channel's page. */
  async function stop({ stopUrl }: Channel): Promise<void> {
    await pressPage(stopUrl.split('/l/')[1] ?? '', presses.stopAll.act);
  }
}
