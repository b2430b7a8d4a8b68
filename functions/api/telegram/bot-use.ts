// The deployment's Telegram bot as the API uses it: its secret, and its answers in chats. An answer that can't be sent
// is logged and lost: what it reports is done.
import type { GuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { networkReason } from '#shared/delivery/outbound/guarded-post.ts';
import { hideAddress } from '#shared/delivery/outbound/hide-address.ts';
import { userAgent } from '#shared/delivery/outbound/webhook.ts';
import {
  botSecretsIn,
  botUrlOf,
  readTelegramBot,
  type TelegramBot,
} from '#shared/delivery/telegram/bot.ts';
import type { Button } from '#shared/delivery/telegram/keyboard.ts';
import type { Logger } from '#shared/lambda/observability.ts';
import { problem } from '../problem.ts';

/** A method of the bot with its parameters. */
export type BotCall =
  | {
      method: 'sendMessage';
      params: {
        chat_id: number;
        message_thread_id?: number | undefined;
        text: string;
        reply_markup?: { inline_keyboard: Button[][] };
      };
    }
  | { method: 'answerCallbackQuery'; params: { callback_query_id: string; text: string } }
  | {
      method: 'editMessageReplyMarkup';
      params: {
        chat_id: number;
        message_id: number;
        reply_markup: { inline_keyboard: unknown[][] };
      };
    };

interface BotUseDeps {
  readSecret: () => Promise<string>;
  /** Where the Bot API is, without a trailing slash, and the client for it. */
  botApi: { url: string; post: GuardedPost };
  logger: Pick<Logger, 'error'>;
}

export function createBotUse({ readSecret, botApi, logger }: BotUseDeps) {
  async function readBot(): Promise<TelegramBot | undefined> {
    return readTelegramBot(await readSecret());
  }

  async function call(bot: TelegramBot, { method, params }: BotCall): Promise<void> {
    const url = botUrlOf(botApi.url, bot);
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
    try {
      const body = JSON.stringify(params);
      const { status, excerpt } = await botApi.post({ url: `${url}/${method}`, headers, body });
      if (status === 200) return;
      const reason = hideAddress(excerpt, botSecretsIn(url)).slice(0, 200);
      logger.error('telegram.answer_refused', { method, status, reason });
    } catch (error) {
      logger.error('telegram.answer_lost', { method, reason: networkReason(error) });
    }
  }

  return {
    readBot,

    /** @throws ProblemError if the deployment has no bot. */
    async requireBot(): Promise<TelegramBot> {
      const bot = await readBot();
      if (bot) return bot;
      throw problem(
        'no-telegram-bot',
        'The operator has to make a bot and store its token: “Telegram” in infra/README.md says how',
      );
    },

    /** Calls methods of the bot, all at once. Never throws. */
    async answer(bot: TelegramBot, calls: readonly BotCall[]): Promise<void> {
      await Promise.all(calls.map((each) => call(bot, each)));
    },
  };
}

export type BotUse = ReturnType<typeof createBotUse>;
