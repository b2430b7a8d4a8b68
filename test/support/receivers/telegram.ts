// Telegram's Bot API: the texts, rates, chats and buttons that it accepts, and its errors. Keeps the messages.
// telegram-people.ts makes the updates of people in its chats.
import type { HttpRequest } from '#shared/delivery/channels/channel-kind.ts';
import { SlidingWindow } from './rates.ts';
import { type EmulatedReceiver, jsonAnswer, objectIn } from './receiver.ts';
import type { Mark, MarkKind, ShownMessage } from './shown-text.ts';
import {
  bad,
  contentOf,
  type EmulatedContent,
  type Given,
  keyboardOf,
  Refusal,
} from './telegram-content.ts';

export const botToken = '7000000001:AAF-emulated_token_of_the_tests_1234';
export const botUsername = 'getin_test_bot';

export interface EmulatedChat {
  id: number;
  type: 'private' | 'group' | 'supergroup';
  title?: string;
  first_name?: string;
  username?: string;
  state?: 'open' | 'blocked' | 'kicked' | 'left';
  /** The topics of a forum. */
  topics?: number[];
  /** The supergroup that a group became. */
  upgradedTo?: number;
}

export interface EmulatedMessage extends EmulatedContent {
  message_id: number;
  chat_id: number;
  message_thread_id?: number | undefined;
  isSilent: boolean;
  /** The number of its edits. */
  edits: number;
  /** Epoch milliseconds. */
  at: number;
}

/** An answer of the Bot API. */
export interface BotApiAnswer {
  status: number;
  body: Given;
}

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

export class EmulatedTelegram implements EmulatedReceiver {
  readonly chats = new Map<number, EmulatedChat>();
  readonly sent: EmulatedMessage[] = [];
  /** What presses were answered with. */
  readonly answered: string[] = [];
  /** The presses that wait for an answer. */
  readonly presses = new Set<string>();
  /** The registration of the bot's updates. */
  readonly webhook: Given = { url: '' };
  #faults: BotApiAnswer[] = [];
  #now = 0;
  readonly #ofBot = new SlidingWindow(30, 1_000);
  readonly #ofChats = new Map<number, { second: SlidingWindow; minute: SlidingWindow }>();

  readonly #methods: Readonly<Record<string, (given: Given) => unknown>> = {
    getMe: () => ({ id: 7_000_000_001, is_bot: true, first_name: 'Getin', username: botUsername }),
    setWebhook: (given) => Object.assign(this.webhook, given) && true,
    getWebhookInfo: () => ({ pending_update_count: 0, ...this.webhook, secret_token: undefined }),
    setMyCommands: () => true,
    sendMessage: (given) => this.#send(given),
    editMessageText: (given) => this.#edit(given, contentOf(given)),
    editMessageReplyMarkup: (given) =>
      this.#edit(given, { keyboard: keyboardOf(given.reply_markup) }),
    answerCallbackQuery: (given) => this.#answerPress(given),
  };

  /** What its readers see. */
  get messages(): ShownMessage[] {
    return this.sent.map((message) => ({
      ...{ id: `${message.chat_id}/${message.message_id}`, text: message.text, at: message.at },
      marks: marksOf(message),
      notification: { text: message.text, marks: [] },
    }));
  }

  /** The next calls get these answers, whatever they ask. */
  failWith(...answers: BotApiAnswer[]): void {
    this.#faults = answers;
  }

  addChat(chat: EmulatedChat): EmulatedChat {
    this.chats.set(chat.id, chat);
    return chat;
  }

  answer({ url, body }: HttpRequest, now: number) {
    this.#now = now;
    const { status, body: answer } = this.#call(new URL(url).pathname, objectIn(body) ?? {});
    return jsonAnswer(status, answer);
  }

  #call(path: string, given: Given): BotApiAnswer {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const fault = this.#faults.shift();
    if (fault) return fault;
    try {
      if (!/^\d+:[\w-]{20,}$/.test(token)) throw new Refusal(404, 'Not Found');
      if (token !== botToken) throw new Refusal(401, 'Unauthorized');
      const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
      if (!run) throw new Refusal(404, 'Not Found: method not found');
      return { status: 200, body: { ok: true, result: run(given) } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message: description, parameters } = error;
      const body = { ok: false, error_code: status, description };
      return { status, body: { ...body, ...(parameters && { parameters }) } };
    }
  }

  #send(given: Given) {
    const chat = this.#writable(given.chat_id);
    const { message_thread_id: threadId } = given;
    if (threadId !== undefined && !chat.topics?.includes(Number(threadId))) {
      throw bad('message thread not found');
    }
    const content = contentOf(given);
    this.#takeTurn(chat);
    const message: EmulatedMessage = {
      ...{ message_id: this.sent.length + 1, chat_id: chat.id, edits: 0, at: this.#now },
      ...(threadId !== undefined && { message_thread_id: Number(threadId) }),
      isSilent: given.disable_notification === true,
      ...content,
    };
    this.sent.push(message);
    return this.#shown(message);
  }

  #edit(given: Given, changed: Partial<EmulatedContent>) {
    const chat = this.#writable(given.chat_id);
    const message = this.sent.find(
      ({ message_id: id, chat_id: chatId }) => id === given.message_id && chatId === chat.id,
    );
    if (!message) throw bad('message to edit not found');
    const parts = ['text', 'entities', 'keyboard', 'preview'] as const;
    const contentIn = (of: Partial<EmulatedContent>) =>
      JSON.stringify(parts.map((name) => of[name] ?? message[name]));
    if (contentIn(changed) === contentIn(message)) throw bad(notModified);
    Object.assign(message, changed, { edits: message.edits + 1 });
    return this.#shown(message);
  }

  #answerPress({ callback_query_id: id, text = '' }: Given) {
    if (!this.presses.delete(String(id))) {
      throw bad('query is too old and response timeout expired or query ID is invalid');
    }
    if ([...String(text)].length > 200) throw bad('MESSAGE_TOO_LONG');
    this.answered.push(String(text));
    return true;
  }

  #writable(id: unknown): EmulatedChat {
    if (id === undefined) throw bad('chat_id is empty');
    const chat = this.chats.get(Number(id));
    if (!chat) throw bad('chat not found');
    if (chat.upgradedTo !== undefined) {
      const parameters = { migrate_to_chat_id: chat.upgradedTo };
      throw bad('group chat was upgraded to a supergroup chat', parameters);
    }
    const { state = 'open', type } = chat;
    if (state === 'open') return chat;
    const said = {
      blocked: 'bot was blocked by the user',
      kicked: `bot was kicked from the ${type} chat`,
      left: `bot is not a member of the ${type} chat`,
    }[state];
    throw new Refusal(403, `Forbidden: ${said}`);
  }

  /** One message a second to a chat, twenty a minute to a group, thirty a second in all. */
  #takeTurn({ id, type }: EmulatedChat): void {
    const own = this.#ofChats.get(id) ?? {
      second: new SlidingWindow(1, 1_000),
      minute: new SlidingWindow(20, 60_000),
    };
    this.#ofChats.set(id, own);
    const windows = [own.second, ...(type === 'private' ? [] : [own.minute]), this.#ofBot];
    for (const window of windows) {
      const waitMs = window.take(this.#now);
      if (waitMs === 0) continue;
      const seconds = Math.ceil(waitMs / 1_000);
      const parameters = { retry_after: seconds };
      throw new Refusal(429, `Too Many Requests: retry after ${seconds}`, parameters);
    }
  }

  #shown({ message_id, chat_id, text }: EmulatedMessage) {
    const date = Math.floor(this.#now / 1_000);
    return { message_id, chat: this.shownChat(chat_id), date, text };
  }

  /** A chat as updates and answers name it. */
  shownChat(id: number): Partial<EmulatedChat> {
    const chat = this.chats.get(id);
    const { state: _state, topics: _topics, upgradedTo: _to, ...shown } = chat ?? { id };
    return shown;
  }
}

const kinds: Readonly<Record<string, MarkKind>> = {
  ...{ bold: 'style', italic: 'style', code: 'style', text_link: 'link' },
  ...{ url: 'link', tg_url: 'link', ip_address: 'link', email: 'link', phone_number: 'link' },
  ...{ mention: 'mention', hashtag: 'mention', cashtag: 'mention', bot_command: 'mention' },
  bank_card: 'link',
};

function marksOf({ text, entities, keyboard, preview }: EmulatedMessage): Mark[] {
  const picture = typeof preview.url === 'string' ? [preview.url] : [];
  return [
    ...entities.map(({ type, offset, length, url }) => ({
      kind: kinds[type] ?? 'style',
      text: text.slice(offset, offset + length),
      ...(url !== undefined && { url }),
    })),
    ...keyboard.flat().map(({ text: label, url }) => ({
      ...{ kind: 'button' as const, text: label, ...(url !== undefined && { url }) },
    })),
    ...picture.map((url) => ({ kind: 'image' as const, text: '', url })),
  ];
}
