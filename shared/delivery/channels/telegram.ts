// Telegram: a chat with the deployment's bot, a message as text in HTML with buttons, and the meaning of the answers.
// No name from the market becomes markup, a link, a mention, a command or a hashtag.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { boundedWaitMs, retryAfterMs } from '../outbound/retry-after.ts';
import { botSecretsIn } from '../telegram/bot.ts';
import { keyboardOf } from '../telegram/keyboard.ts';
import { type MessageText, messageText } from '../telegram/message-text.ts';
import type { ChannelKindRow, HttpForm, Outgoing, SharedPace } from './channel-kind.ts';
import {
  type EditJudgement,
  gone,
  isSuccess,
  type Judgement,
  judgeEdit,
  mayPass,
  refused,
  unconfirmed,
} from './judgement.ts';
import { loudnessOf } from './loudness.ts';
import { chatHeaders } from './url-target.ts';

const chat = z.object({
  id: z.int(),
  /** The topic of a forum group. */
  threadId: z.int().optional().catch(undefined),
  /** What people call the chat: the group's title, or the reader's name. */
  title: z.string().catch(''),
});
export type TelegramChat = z.infer<typeof chat>;

const target = z.object({
  kind: z.literal('telegram'),
  /** Absent until the reader opens the chat. */
  chat: chat.optional(),
  /** Absent once it was used. Without it the owner asks for another. */
  link: z.object({ hash: z.string(), expiresAt: z.number() }).optional().catch(undefined),
});
export type TelegramTarget = z.infer<typeof target>;

export const telegram = {
  kind: 'telegram',
  label: 'Telegram',
  sender: 'webhook',
  readBy: 'people',
  needsConfirmation: 'chat',
  slotsOf: 'channel',
  host: 't.me',
  sharedPacesOf: ({ chat }) => (chat ? pacesOf(chat) : []),
  wanted: z
    .strictObject({ kind: z.literal('telegram'), ...newChannelSettings })
    .meta({ id: 'TelegramChannelRequest' }),
  changes: {},
  target,
  example: {},
  guide: {
    about: 'A message of our bot with a picture, and buttons that act in the chat.',
    steps: [
      'Add it. You get a link that works once, within a day.',
      'Open the link where Telegram is, and press “Start”. For a group, use the second link and choose the group.',
    ],
    fields: [],
  },
  newTarget: () => ({ kind: 'telegram' }),
  changedTarget: (target) => target,
  readerOf: ({ chat, link }) => (chat ? `${chat.id}/${chat.threadId ?? ''}` : (link?.hash ?? '')),
  recipientOf: ({ chat }) => chat?.title ?? 'no chat yet',
} as const satisfies ChannelKindRow<TelegramTarget, Record<never, never>>;

/** Below the 30 messages a second that Telegram allows a bot in all. */
const botMessagesPerSecond = 25;

/** channels.md, Telegram: one message a second to a chat, twenty a minute to a group. */
function pacesOf({ id }: TelegramChat): SharedPace[] {
  const name = `chat#${chatDigest(id)}`;
  const isGroup = id < 0;
  return [
    { name, messages: 1, perMs: 1_000 },
    { name: 'telegram', messages: botMessagesPerSecond, perMs: 1_000 },
    ...(isGroup ? [{ name: `${name}#minute`, messages: 20, perMs: 60_000 }] : []),
  ];
}

/** The id of a chat is that of its reader, so what outlasts a channel has only a digest of it. */
export function chatDigest(chatId: number): string {
  return createHash('sha256').update(String(chatId)).digest('hex').slice(0, 32);
}

/** With the address that the methods of the deployment's bot are under. */
export type TelegramAtBot = TelegramTarget & { botUrl: string };

export const telegramForm: HttpForm<TelegramAtBot> = {
  request: (outgoing, { botUrl, chat }) => ({
    url: `${botUrl}/sendMessage`,
    headers: chatHeaders,
    body: JSON.stringify({
      ...placeOf(chat),
      ...renderTelegram(outgoing),
      ...(loudnessOf(outgoing) === 'quiet' && { disable_notification: true }),
    }),
  }),

  judge(answer, now) {
    if (isSuccess(answer)) return isOk(answer) ? { kind: 'sent' } : unconfirmed();
    return botFault(answer) ?? judgeRefusal(answer, now);
  },

  movedTo(answer, { chat, ...others }) {
    const id = answerIn(answer).parameters?.migrate_to_chat_id;
    return chat === undefined || id === undefined
      ? undefined
      : { ...others, chat: { ...chat, id } };
  },

  secretsOf: ({ botUrl }) => botSecretsIn(botUrl),
  shownOf: (answer) => shownAnswer(answer),

  edits: {
    receiptOf(answer) {
      const { message_id: id, chat } = answerIn(answer).result ?? {};
      return id === undefined || chat === undefined ? undefined : `${chatDigest(chat.id)}/${id}`;
    },

    request(outgoing, { botUrl, chat }, receipt) {
      const [digest, messageId] = receipt.split('/');
      // A group that became a supergroup has another id, and its messages another number.
      if (chat === undefined || chatDigest(chat.id) !== digest) return undefined;
      const message = { chat_id: chat.id, message_id: Number(messageId) };
      return {
        url: `${botUrl}/editMessageText`,
        headers: chatHeaders,
        body: JSON.stringify({ ...message, ...renderTelegram(outgoing) }),
      };
    },

    judge: (answer, now) => judgeTelegramEdit(answer, now),
  },
};

function placeOf(chat: TelegramChat | undefined): object {
  return { chat_id: chat?.id, message_thread_id: chat?.threadId };
}

interface Rendered extends MessageText {
  reply_markup?: object;
}

/** The content of one message: its text, its buttons, its picture. */
export function renderTelegram(outgoing: Outgoing): Rendered {
  const text = messageText(outgoing.message);
  const rows = keyboardOf(outgoing, { isCut: text.isCut });
  const { isCut: _isCut, ...fields } = text;
  return rows.length === 0 ? fields : { ...fields, reply_markup: { inline_keyboard: rows } };
}

const answerSchema = z.object({
  ok: z.boolean().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  result: z
    .object({ message_id: z.int(), chat: z.object({ id: z.int() }) })
    .optional()
    .catch(undefined),
  parameters: z
    .object({
      retry_after: z.number().min(0).optional().catch(undefined),
      migrate_to_chat_id: z.int().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type BotAnswer = z.infer<typeof answerSchema>;

/** The parts of an answer that we understand; none if it is not an answer of the Bot API. */
function answerIn({ excerpt }: Pick<PostAnswer, 'excerpt'>): BotAnswer {
  try {
    return answerSchema.safeParse(JSON.parse(excerpt)).data ?? {};
  } catch {
    return {};
  }
}

function isOk(answer: PostAnswer): boolean {
  return answerIn(answer).ok === true;
}

/** Of a successful answer only the message's number: the rest is the message, and who its reader is. */
function shownAnswer(answer: PostAnswer): string {
  const { ok, result } = answerIn(answer);
  if (ok !== true) return answer.excerpt;
  return JSON.stringify({ ok, ...(result && { message_id: result.message_id }) });
}

/** Telegram does not know the bot, or its token was revoked: the operator's to repair, and no chat's fault. */
function botFault({ status }: PostAnswer): Judgement | undefined {
  return status === 401 || status === 404
    ? { kind: 'retry', reason: `http_${status}`, isOurs: true }
    : undefined;
}

/** Descriptions of status 400 for a chat or a topic that can't be written to, whatever the message. */
const placeGone =
  /chat not found|user not found|thread not found|upgraded to a supergroup|not enough rights|no rights to send|administrator rights|need to be (an )?administrator|PEER_ID_INVALID|CHAT_(WRITE_FORBIDDEN|RESTRICTED|SEND_\w+_FORBIDDEN|ADMIN_REQUIRED)|TOPIC_(CLOSED|DELETED)|CHANNEL_PRIVATE|USER_DEACTIVATED/i;

function judgeRefusal(answer: PostAnswer, now: number): Judgement {
  const { status } = answer;
  if (status === 403 || isPlaceGone(answer)) return gone(answer);
  if (status === 400 || status === 413) return refused(answer);
  return mayPass(answer, waitMs(answer, now));
}

function isPlaceGone(answer: PostAnswer): boolean {
  return answer.status === 400 && placeGone.test(answerIn(answer).description ?? '');
}

/** The wait that Telegram asks for, in its JSON or, from a proxy before it, in the header. */
function waitMs(answer: PostAnswer, now: number): number | undefined {
  const seconds = answerIn(answer).parameters?.retry_after;
  if (seconds !== undefined) return boundedWaitMs(seconds * 1_000);
  return retryAfterMs(answer.headers['retry-after'], now);
}

/** Descriptions of status 400 for a message that nobody can change any more. */
const messageGone = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;

function judgeTelegramEdit(answer: PostAnswer, now: number): EditJudgement {
  const { description = '' } = answerIn(answer);
  const { status } = answer;
  if (status === 400 && /message is not modified/i.test(description)) return { kind: 'edited' };
  if (status === 401 || status === 404) return { kind: 'failed', reason: `http_${status}` };
  const isGone = isPlaceGone(answer) || (status === 400 && messageGone.test(description));
  if (isGone) return { kind: 'gone', reason: `http_${status}` };
  return judgeEdit(answer, [403], waitMs(answer, now));
}
