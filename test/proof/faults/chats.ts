// The chats of a run whose messages can be edited: Discord's webhooks and the chats of a Telegram bot. They refuse
// what the real ones refuse, and keep what their readers see.
import { createDiscordWebhook } from '#test/support/receivers/discord.ts';
import type { EmulatedReceiver } from '#test/support/receivers/receiver.ts';
import { EmulatedTelegram } from '#test/support/receivers/telegram.ts';
import type { Answer, Request } from './links/exchange.ts';
import { channels } from './scenario/owners.ts';

/** A request to a chat: which of its messages it is about. */
export interface ChatRequest {
  place: string;
  /** The message that it edits; undefined for a new message. */
  edits?: string;
}

const discordPath = /^(?<place>\/discord\/[^/?]+)(?:\/messages\/(?<edits>\d+))?(?:\?.*)?$/;
const telegramPath = /^\/bot[^/]+\/(?<method>\w+)$/;

/** @returns undefined for a request to another kind of receiver. */
export function chatRequestOf({
  path,
  body,
}: Pick<Request, 'path' | 'body'>): ChatRequest | undefined {
  const { place, edits } = discordPath.exec(path)?.groups ?? {};
  if (place !== undefined) return { place, ...(edits !== undefined && { edits }) };
  const { method } = telegramPath.exec(path)?.groups ?? {};
  if (method === undefined) return undefined;
  const { chat_id: chat, message_id: id } = JSON.parse(body.toString()) as Record<string, unknown>;
  const isEdit = method === 'editMessageText';
  return { place: telegramPlace(Number(chat)), ...(isEdit && { edits: String(id) }) };
}

function telegramPlace(chatId: number): string {
  return `/telegram/${chatId}`;
}

/** The id of the chat of a place. */
export function chatIdOf(place: string): number {
  return Number(place.split('/').at(-1));
}

export class Chats {
  readonly telegram = new EmulatedTelegram();
  readonly #discord = new Map<string, EmulatedReceiver>();

  constructor() {
    for (const { kind, place } of channels) {
      if (kind === 'discord') this.#discord.set(place, createDiscordWebhook(discordWebhook));
      if (kind !== 'telegram') continue;
      const id = chatIdOf(place);
      this.telegram.addChat({ id, type: id < 0 ? 'group' : 'private' });
    }
  }

  /** @param now by the run's clock, epoch milliseconds. @returns undefined for a request to no chat of these. */
  answer(request: Request, now: number): Answer | undefined {
    const asked = chatRequestOf(request);
    if (!asked) return undefined;
    const discord = this.#discord.get(asked.place);
    const path = request.path.slice(discord ? asked.place.length : 0);
    const { status, headers, excerpt } = (discord ?? this.telegram).answer(
      {
        method: request.method as 'POST',
        url: `${discord ? discordUrl : telegramUrl}${path}`,
        headers: {},
        body: request.body.toString(),
      },
      now,
    );
    return { status, headers, body: Buffer.from(excerpt) };
  }

  /** The lines of a message as its readers see it now. */
  linesOf(place: string, messageId: string): string[] {
    const discord = this.#discord.get(place);
    const id = discord ? messageId : `${chatIdOf(place)}/${messageId}`;
    const found = (discord ?? this.telegram).messages.find((message) => message.id === id);
    return found?.text.split('\n') ?? [];
  }
}

const discordWebhook = { id: '1', token: 'token' };
const discordUrl = 'https://discord.com/api/webhooks/1/token';
const telegramUrl = 'https://api.telegram.org';

/** The receiver's number of a new message, from its answer. */
export function messageIdIn({ body }: Answer): string {
  const { id, result } = JSON.parse(body.toString()) as {
    id?: string;
    result?: { message_id: number };
  };
  return id ?? String(result?.message_id);
}
