// A bot's registration with the emulated Bot API, over HTTP.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { botFaults, botName, registerBot } from '#infra/operate/register-bot.ts';
import { type ServedReceiver, serve } from '#test/support/receivers/receiver.ts';
import { botToken, EmulatedTelegram } from '#test/support/receivers/telegram.ts';

const publicUrl = 'https://getin.example';
const webhookSecret = 'w'.repeat(64);
let telegram: EmulatedTelegram;
let served: ServedReceiver;

beforeEach(async () => {
  telegram = new EmulatedTelegram();
  served = await serve(telegram, () => 0);
});
afterEach(() => served.stop());

const bot = (token = botToken) => ({ apiUrl: served.url, token, fetch });

it('makes Telegram post what we read to our API, with the secret', async () => {
  expect(await botName(bot())).toBe('getin_test_bot');
  expect(await registerBot(bot(), { publicUrl, webhookSecret })).toEqual([
    "Telegram posts the bot's updates to https://getin.example/telegram/updates (message, callback_query, my_chat_member).",
    'Its menu offers /stop, /start, /help.',
  ]);
  expect(telegram.webhook).toEqual({
    url: 'https://getin.example/telegram/updates',
    secret_token: webhookSecret,
    allowed_updates: ['message', 'callback_query', 'my_chat_member'],
  });
  expect(await botFaults(bot(), { publicUrl })).toEqual([]);
});

it.each([
  [{}, ['Telegram posts the updates of the bot nowhere.']],
  [
    { url: 'https://other.example/x' },
    [
      'Telegram posts updates to https://other.example/x, not to https://getin.example/telegram/updates.',
    ],
  ],
  [
    { url: 'https://getin.example/telegram/updates', allowed_updates: ['message'] },
    ['Telegram leaves out updates of the kind callback_query, my_chat_member.'],
  ],
  [
    {
      url: 'https://getin.example/telegram/updates',
      allowed_updates: ['message', 'callback_query', 'my_chat_member'],
      pending_update_count: 3,
      last_error_message: 'Wrong response from the webhook: 401 Unauthorized',
    },
    ['3 updates wait; the last error was: Wrong response from the webhook: 401 Unauthorized.'],
  ],
])('finds what is wrong with %j', async (webhook, faults) => {
  Object.assign(telegram.webhook, webhook);
  expect(await botFaults(bot(), { publicUrl })).toEqual(faults);
});

it('says that a token is unknown, and what Telegram refuses, without the token', async () => {
  const other = `${botToken.slice(0, -1)}5`;
  await expect(botName(bot(other))).rejects.toThrow(
    'Telegram does not know this token. BotFather shows it again with /token.',
  );
  const description = 'Bad Request: bad webhook: HTTPS url must be provided for webhook';
  telegram.failWith({ status: 400, body: { ok: false, error_code: 400, description } });
  await expect(registerBot(bot(), { publicUrl, webhookSecret })).rejects.toThrow(
    `Telegram refused setWebhook: ${description}.`,
  );
  served.stop();
  await expect(botName(bot())).rejects.toThrow(
    `Telegram's Bot API did not answer at ${served.url}.`,
  );
});
