// Opens what the API needs of the Telegram bot, from its environment.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { atFirstCall } from '#shared/lambda/at-first-call.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { timing } from '#shared/timing.ts';

interface BotConfig {
  TELEGRAM_BOT_SECRET: string;
  TELEGRAM_API_URL: string;
  LOOPBACK_WEBHOOKS: 'refused' | 'allowed';
}

/** A reader of the bot's secret, and a client of the Bot API that gives up soon. */
export function openBot(secrets: SecretsManagerClient, config: BotConfig) {
  const post = atFirstCall(async () => {
    const { createGuardedPost } = await import('#shared/delivery/outbound/guarded-post.ts');
    return createGuardedPost({
      policy: { loopback: config.LOOPBACK_WEBHOOKS },
      timeoutMs: timing.botAnswerTimeoutMs,
    });
  });
  return {
    readBotSecret: createSecretReader(secrets, config.TELEGRAM_BOT_SECRET, Date.now),
    botApi: { url: config.TELEGRAM_API_URL, post },
  };
}
