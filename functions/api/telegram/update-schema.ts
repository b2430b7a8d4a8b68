// The parts of Telegram's updates that we use. An update without any of them is ignored.
import * as z from 'zod';

const chat = z.object({
  id: z.int(),
  title: z.string().optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  first_name: z.string().optional().catch(undefined),
  type: z.string().catch(''),
});
export type UpdateChat = z.infer<typeof chat>;

const message = z.object({
  chat,
  text: z.string().optional().catch(undefined),
  message_thread_id: z.int().optional().catch(undefined),
  is_topic_message: z.boolean().optional().catch(undefined),
  migrate_to_chat_id: z.int().optional().catch(undefined),
});
export type UpdateMessage = z.infer<typeof message>;

const button = z.looseObject({
  text: z.string().optional().catch(undefined),
  callback_data: z.string().optional().catch(undefined),
});

const callbackQuery = z.object({
  id: z.string(),
  data: z.string().optional().catch(undefined),
  message: z
    .object({
      chat,
      message_id: z.int(),
      reply_markup: z
        .object({ inline_keyboard: z.array(z.array(button)) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type CallbackQuery = z.infer<typeof callbackQuery>;

const memberChange = z.object({ chat, new_chat_member: z.object({ status: z.string() }) });

/** The body that Telegram posts. */
export const telegramUpdateSchema = z
  .looseObject({
    update_id: z.int().meta({ description: 'Grows by one with each update of the bot' }),
    message: message.optional().catch(undefined).meta({ description: 'A message in a chat' }),
    callback_query: callbackQuery
      .optional()
      .catch(undefined)
      .meta({ description: 'A button of a message was pressed' }),
    my_chat_member: memberChange
      .optional()
      .catch(undefined)
      .meta({ description: 'The bot was added to a chat, removed from it or blocked' }),
  })
  .meta({ id: 'TelegramUpdate', description: 'Other fields are accepted and not read' });
export type TelegramUpdate = z.infer<typeof telegramUpdateSchema>;
