// The deployment's Telegram bot as its secret stores it, and the addresses of its methods. Parses and changes the
// text; does not read or write the secret store.
import * as z from 'zod';

/** What a bot's token looks like: the bot's id and its key. */
export const botTokenForm = /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/;

const botSecretSchema = z.strictObject({
  /** Empty if the deployment has no bot. */
  token: z.union([z.literal(''), z.string().regex(botTokenForm)]),
  username: z.string().regex(/^\w{0,64}$/),
  /** Telegram's own form of a webhook's `secret_token`. */
  webhookSecret: z.string().regex(/^[A-Za-z0-9_-]{32,256}$/),
});

export interface TelegramBot {
  token: string;
  /** Without the @. */
  username: string;
  /** Telegram sends it with every update, so that we know that the update is Telegram's. */
  webhookSecret: string;
}

/** Thrown for a secret with the wrong shape; the operator must store it again. Never quotes the secret. */
export class TelegramBotError extends Error {
  override readonly name = 'TelegramBotError';
}

/**
 * Parses the text of the secret.
 * @returns undefined if the deployment has no bot: the secret is as the stack generated it.
 * @throws TelegramBotError
 */
export function readTelegramBot(text: string): TelegramBot | undefined {
  const bot = parsedSecret(text);
  return bot.token === '' || bot.username === '' ? undefined : bot;
}

/**
 * Puts a bot into the secret's text; the secret of the webhook stays the same.
 * @throws TelegramBotError when the text, the token or the name has the wrong shape.
 */
export function withTelegramBot(
  text: string,
  bot: Pick<TelegramBot, 'token' | 'username'>,
): string {
  const changed = JSON.stringify({ ...parsedSecret(text), ...bot });
  parsedSecret(changed);
  return changed;
}

/** The secret that Telegram has to send, whether or not there is a bot. @throws TelegramBotError */
export function webhookSecretIn(text: string): string {
  return parsedSecret(text).webhookSecret;
}

function parsedSecret(text: string): TelegramBot {
  const parsed = botSecretSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new TelegramBotError(
    'the Telegram bot\'s secret must be JSON: {"token":"1234:…","username":"…","webhookSecret":"…"}',
  );
}

/** The parser's own message would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Thrown when a message has to go out and the deployment has no bot: the operator removed it. */
export class NoTelegramBotError extends Error {
  override readonly name = 'NoTelegramBotError';
}

/** @returns a function that reads the address of the deployment's bot. @throws NoTelegramBotError */
export function createBotUrlReader(
  readSecret: () => Promise<string>,
  apiUrl: string,
): () => Promise<string> {
  return async function readBotUrl() {
    const bot = readTelegramBot(await readSecret());
    if (bot) return botUrlOf(apiUrl, bot);
    throw new NoTelegramBotError('the deployment has no Telegram bot');
  };
}

/** The number of a bot, which its token begins with. */
export function botIdOf({ token }: Pick<TelegramBot, 'token'>): string {
  return token.slice(0, token.indexOf(':'));
}

/** The address that the methods of a bot are under. It contains the token, so it is a secret. */
export function botUrlOf(apiUrl: string, { token }: Pick<TelegramBot, 'token'>): string {
  return `${apiUrl}/bot${token}`;
}

/** What must not be shown of an answer to a request under this address: its path, and the token alone. */
export function botSecretsIn(botUrl: string): string[] {
  return [botUrl, botUrl.slice(botUrl.lastIndexOf('/bot') + '/bot'.length)];
}

/** The path of our API that Telegram posts updates to. */
export const updatesPath = '/telegram/updates';

/** The kinds of updates that we ask for; Telegram sends no others. */
export const wantedUpdates = ['message', 'callback_query', 'my_chat_member'] as const;
