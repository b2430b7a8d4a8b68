/**
 * Makes Telegram post a bot's updates to our API, or reports whether it does. Knows no account of AWS; the caller
 * stores the bot. Safe to repeat.
 */
import * as z from 'zod';
import { botUrlOf, updatesPath, wantedUpdates } from '#shared/delivery/telegram/bot.ts';
import { OperatorError } from './command.ts';

/** The bot, and how it is called. */
export interface BotAccess {
  /** The address of the Bot API, without a slash at the end. */
  apiUrl: string;
  token: string;
  fetch: typeof fetch;
}

interface Registration {
  /** Where people and Telegram reach our API, without a slash at the end. */
  publicUrl: string;
  /** What Telegram sends with each update. */
  webhookSecret: string;
}

const timeoutMs = 10_000;

const meSchema = z.object({ username: z.string().min(1) });

const webhookSchema = z.object({
  url: z.string(),
  pending_update_count: z.number().default(0),
  last_error_message: z.string().optional(),
  allowed_updates: z.array(z.string()).default([]),
});

/** The commands that Telegram offers in a chat with the bot. */
const commands = [
  { command: 'stop', description: 'End all messages in this chat' },
  { command: 'start', description: 'Say whether alerts come to this chat' },
  { command: 'help', description: 'Say what this bot does' },
];

/** @returns the bot's name, without the @. @throws OperatorError if Telegram does not know the token */
export async function botName(bot: BotAccess): Promise<string> {
  return meSchema.parse(await callBot(bot, 'getMe')).username;
}

/** @returns a sentence for each thing that it did */
export async function registerBot(bot: BotAccess, to: Registration): Promise<string[]> {
  const url = to.publicUrl + updatesPath;
  await callBot(bot, 'setWebhook', {
    ...{ url, secret_token: to.webhookSecret, allowed_updates: wantedUpdates },
  });
  await callBot(bot, 'setMyCommands', { commands });
  return [
    `Telegram posts the bot's updates to ${url} (${wantedUpdates.join(', ')}).`,
    `Its menu offers ${commands.map(({ command }) => `/${command}`).join(', ')}.`,
  ];
}

/** @returns a sentence for each thing that is wrong with the registration; empty if nothing is */
export async function botFaults(
  bot: BotAccess,
  { publicUrl }: Pick<Registration, 'publicUrl'>,
): Promise<string[]> {
  const info = webhookSchema.parse(await callBot(bot, 'getWebhookInfo'));
  const url = publicUrl + updatesPath;
  const missing = wantedUpdates.filter((kind) => !info.allowed_updates.includes(kind));
  const faults: string[] = [];
  if (info.url === '') faults.push('Telegram posts the updates of the bot nowhere.');
  else if (info.url !== url) faults.push(`Telegram posts updates to ${info.url}, not to ${url}.`);
  if (info.url === url && missing.length > 0) {
    faults.push(`Telegram leaves out updates of the kind ${missing.join(', ')}.`);
  }
  if (info.pending_update_count > 0) {
    const why = info.last_error_message ?? 'not known';
    faults.push(`${info.pending_update_count} updates wait; the last error was: ${why}.`);
  }
  return faults;
}

/** @throws OperatorError with Telegram's own words; never with the token */
async function callBot(
  bot: BotAccess,
  method: string,
  params: Record<string, unknown> = {},
): Promise<unknown> {
  const response = await postTo(bot, method, params);
  const answer = z
    .object({ ok: z.boolean(), description: z.string().optional(), result: z.unknown().optional() })
    .safeParse(await response.json().catch(() => undefined));
  if (answer.data?.ok) return answer.data.result;
  if (response.status === 401 || response.status === 404) {
    throw new OperatorError(
      'Telegram does not know this token. BotFather shows it again with /token.',
    );
  }
  const said = answer.data?.description ?? `HTTP ${response.status}`;
  throw new OperatorError(`Telegram refused ${method}: ${said}.`);
}

async function postTo(bot: BotAccess, method: string, params: object): Promise<Response> {
  try {
    return await bot.fetch(`${botUrlOf(bot.apiUrl, bot)}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    // The error itself may name the address, which contains the token.
    throw new OperatorError(`Telegram's Bot API did not answer at ${bot.apiUrl}.`);
  }
}
