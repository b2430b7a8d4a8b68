// What people do in Telegram's chats, as the updates that Telegram posts of it.
import type { EmulatedChat, EmulatedMessage, EmulatedTelegram } from './telegram.ts';

/** Makes updates; each has the next number. */
export function peopleOf(telegram: EmulatedTelegram) {
  let last = 1_000;
  function update(of: Record<string, unknown>) {
    last += 1;
    return { update_id: last, ...of };
  }

  return {
    update,

    /** Somebody writes in a chat, or in a topic of it. */
    write(chatId: number, text: string, threadId?: number) {
      const topic = { message_thread_id: threadId, is_topic_message: true };
      const message = { message_id: 1, chat: telegram.shownChat(chatId), text };
      return update({ message: { ...message, ...(threadId !== undefined && topic) } });
    },

    /** Somebody presses a button of a message. */
    press({ message_id, chat_id, keyboard }: EmulatedMessage, label: RegExp) {
      const button = keyboard.flat().find(({ text }) => label.test(text));
      if (button?.callback_data === undefined) throw new Error(`no button ${label} to press`);
      last += 1;
      const id = `press-${last}`;
      telegram.presses.add(id);
      const message = { message_id, chat: telegram.shownChat(chat_id), date: 1 };
      const query = { id, data: button.callback_data };
      const reply_markup = { inline_keyboard: keyboard };
      return update({ callback_query: { ...query, message: { ...message, reply_markup } } });
    },

    /** People block or remove the bot, or let it in again. */
    setState(chatId: number, state: NonNullable<EmulatedChat['state']>) {
      const chat = telegram.chats.get(chatId);
      if (chat) chat.state = state;
      const status = state === 'open' ? 'member' : state === 'blocked' ? 'kicked' : state;
      const change = { chat: telegram.shownChat(chatId), new_chat_member: { status } };
      return update({ my_chat_member: change });
    },

    /** A group becomes a supergroup. */
    upgrade(chatId: number, toId: number) {
      const chat = telegram.chats.get(chatId);
      telegram.addChat({ id: toId, type: 'supergroup', title: chat?.title ?? '' });
      if (chat) chat.upgradedTo = toId;
      const message = { chat: telegram.shownChat(chatId), migrate_to_chat_id: toId };
      return update({ message });
    },
  };
}
