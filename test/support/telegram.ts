// A Telegram bot for tests: its secret, a chat of it, and what a sender needs that never meets one.
import type { AddressedTarget, HttpTarget } from '#shared/delivery/channels/channels.ts';
import { telegram } from '#shared/delivery/channels/telegram.ts';
import { createAddressTarget } from '#shared/delivery/outbound/address-target.ts';
import { botUrlOf } from '#shared/delivery/telegram/bot.ts';
import { botToken, botUsername } from './receivers/telegram.ts';

export const webhookSecret = 'w'.repeat(64);
/** As the operator's command stores it. */
export const botSecret = JSON.stringify({ token: botToken, username: botUsername, webhookSecret });
export const telegramUrl = 'https://api.telegram.org';
export const botUrl = botUrlOf(telegramUrl, { token: botToken });

export const annsChat = { id: 4_711, title: '@ann' };

/** The dependencies of `createSendWebhook` around a bot. Receivers never move. */
export const withBot = {
  address: createAddressTarget(async () => botUrl),
  storeMoved: async () => {},
};

/** A target as its form takes it, with a chat if its kind has chats. */
export function addressed(target: HttpTarget): AddressedTarget {
  return target.kind === telegram.kind ? { chat: annsChat, ...target, botUrl } : target;
}

/** The body that a message is sent with. */
export type TelegramBody = Record<string, unknown> & {
  text: string;
  reply_markup?: { inline_keyboard: { text: string; url?: string; callback_data?: string }[][] };
};
