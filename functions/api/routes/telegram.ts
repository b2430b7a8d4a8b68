// Where Telegram posts the updates of the deployment's bot: messages to it, and presses of its buttons.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { updatesPath } from '#shared/delivery/telegram/bot.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { ProblemError, problem } from '../problem.ts';
import { createHandleUpdate } from '../telegram/handle-update.ts';
import { telegramUpdateSchema } from '../telegram/update-schema.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

const secretHeader = 'x-telegram-bot-api-secret-token';

/** `POST /telegram/updates`. */
export function telegramOperation(deps: ApiDeps): Operation {
  const handleUpdate = createHandleUpdate(deps, createWatchlistUse(deps));
  const { telegram } = deps;
  return defineOperation({
    method: 'post',
    path: updatesPath,
    tag: 'Telegram',
    summary: 'Take an update of the Telegram bot',
    description:
      'Only Telegram calls this, with the header X-Telegram-Bot-Api-Secret-Token that the operator registered. Links chats to channels, stops messages, and carries out the buttons of alerts. Repeats and unknown kinds of updates change nothing.',
    access: 'public',
    body: telegramUpdateSchema,
    bodyExamples: {
      start: {
        summary: 'A reader opened a channel’s link',
        value: {
          update_id: 10_000,
          message: {
            chat: { id: 1_111_111, type: 'private', first_name: 'Ann' },
            text: '/start AZPwwqe5fA6PDk0aKzxNXgECAwQFBgcICQoLDA0ODxA',
          },
        },
      },
    },
    answer: { status: 204, description: 'It was carried out, or is of no kind that we know' },
    refusals: [401, 404],
    handle: async ({ context, body, now }) => {
      const bot = await telegram.readBot();
      if (!bot) throw problem('not-found', 'There is no such path');
      if (!isTelegrams(context, bot.webhookSecret)) throw problem('unauthorized', notTelegrams);
      try {
        await telegram.answer(bot, await handleUpdate(body, bot, now));
      } catch (error) {
        // Telegram repeats an update for a day. One that would fail again must not come again.
        if (isTransient(error) || isStale(error)) throw error;
        const ids = { updateId: String(body.update_id) };
        reportFault({ thing: 'telegram_update', reason: reasonOf(error), ids, error });
      }
      return {};
    },
  });
}

const notTelegrams = `The header ${secretHeader} has to have the secret of the webhook`;

/** Another request changed the same item at the same moment. */
function isStale(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 412;
}

/** In a time that says nothing about the right secret. */
function isTelegrams({ req }: Context, secret: string): boolean {
  const given = req.header(secretHeader) ?? '';
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
