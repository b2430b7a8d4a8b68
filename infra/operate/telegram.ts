/** `npm run telegram -- set-webhook`: gives a stack its Telegram bot. */
import {
  botTokenForm,
  readTelegramBot,
  type TelegramBot,
  webhookSecretIn,
  withTelegramBot,
} from '#shared/delivery/telegram/bot.ts';
import { httpAddress } from '#shared/lambda/config.ts';
import type { Stage } from '../config.ts';
import { OperatorError, readFlags, runOperation, stackNameOf, stageFlag } from './command.ts';
import { type BotAccess, botFaults, botName, registerBot } from './register-bot.ts';
import { putSecret, storedSecret } from './stack-secrets.ts';
import { readStageFile } from './stage-file.ts';
import { outputOfStage } from './stage-output.ts';

const usage = `npm run telegram -- set-webhook [--stage dev|prod] [--check]

Stores the bot's token, which is read from the variable TELEGRAM_BOT_TOKEN, in the stack's
secret, and makes Telegram post the bot's updates to the stack's API. Without the variable the
stored token is used. --check changes nothing: it says what is wrong.

  --api-url URL   where the Bot API is, if not at https://api.telegram.org`;

await runOperation(async () => {
  const { values, positionals } = readFlags({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'dev' },
      check: { type: 'boolean', default: false },
      'api-url': { type: 'string', default: 'https://api.telegram.org' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(usage);
  if (positionals.join(' ') !== 'set-webhook') {
    throw new OperatorError(`The only action is set-webhook, not "${positionals.join(' ')}".`);
  }
  const stage = stageFlag(values.stage);
  const stackName = stackNameOf(stage);
  const variable = readStageFile(stage).secretVariables.telegram_bot_token;
  const given = givenToken(variable, process.env[variable]);
  const apiUrl = addressFlag(values['api-url']);
  const { publicUrl, stored } = await stackFacts(stage);
  const bot = { apiUrl, token: given ?? storedToken(stored), fetch };
  if (values.check) return check(bot, publicUrl);
  const username = await botName(bot);
  await putSecret(stackName, 'TelegramBotSecret', withTelegramBot(stored, { ...bot, username }));
  const webhookSecret = webhookSecretIn(stored);
  const did = await registerBot(bot, { publicUrl, webhookSecret });
  return say(
    [
      `The bot @${username} is stored in TelegramBotSecret; the functions use it within five minutes.`,
      ...did,
    ].join('\n'),
  );
});

async function check(bot: BotAccess, publicUrl: string): Promise<number> {
  const username = await botName(bot);
  const faults = await botFaults(bot, { publicUrl });
  if (faults.length === 0) return say(`@${username} posts its updates here, and none waits.`);
  process.stderr.write(`${faults.join('\n')}\n`);
  return 2;
}

/** @throws OperatorError if the stack is not there, or was deployed before it could have a bot */
async function stackFacts(stage: Stage): Promise<{ publicUrl: string; stored: string }> {
  const publicUrl = await outputOfStage(stage, 'ApiUrl');
  await outputOfStage(stage, 'TelegramBotSecret');
  const stored = (await storedSecret(stackNameOf(stage), 'TelegramBotSecret')) ?? '';
  return { publicUrl, stored };
}

/** The message doesn't repeat the token, which is a secret. */
function givenToken(variable: string, token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  if (botTokenForm.test(token)) return token;
  throw new OperatorError(
    `${variable} is not a token of a bot: BotFather gives one such as 1234567890:AA….`,
  );
}

function storedToken(stored: string): string {
  const bot: TelegramBot | undefined = readTelegramBot(stored);
  if (bot) return bot.token;
  throw new OperatorError(
    'The stack has no bot. Set TELEGRAM_BOT_TOKEN to the token that BotFather gave you.',
  );
}

function addressFlag(given: string): string {
  const address = httpAddress.safeParse(given);
  if (address.success) return address.data;
  throw new OperatorError(`--api-url takes an address, not "${given}".`);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
