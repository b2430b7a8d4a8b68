// Slack by a bot's token and Slack's Web API: a message that can be edited later, and the meaning of the answers,
// which have status 200 and say in JSON what is wrong. The content is that of slack.ts.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { ChannelKindRow, HttpForm, HttpRequest } from './channel-kind.ts';
import {
  type EditJudgement,
  fieldsIn,
  isSuccess,
  type Judgement,
  judgeEdit,
  mayPass,
  unconfirmed,
} from './judgement.ts';
import { makeSlackApp } from './slack.ts';
import { slackContent, slackTextContent } from './slack-blocks.ts';
import { chatHeaders } from './url-target.ts';

const token = z
  .string()
  .regex(/^xoxb-[A-Za-z0-9-]{10,250}$/, 'must be the token of a bot, which begins with xoxb-')
  .meta({
    description:
      'The token of a bot with the scope chat:write, which was invited to the channel; write-only. A test shows whether it works',
  });
const channel = z
  .string()
  .regex(/^[CGD][A-Z0-9]{6,20}$/, 'must be the id of a Slack channel, such as C0123456789')
  .meta({ description: 'The id of the Slack channel or conversation, from its details in Slack' });

const target = z.object({
  kind: z.literal('slack_bot'),
  token: z.string().min(1),
  channel: z.string().min(1),
});
export type SlackBotTarget = z.infer<typeof target>;

type GivenSlackBot = Omit<SlackBotTarget, 'kind'>;

export const slackBot = {
  kind: 'slack_bot',
  label: 'Slack bot',
  sender: 'webhook',
  readBy: 'people',
  needsConfirmation: false,
  slotsOf: 'channel',
  pace: { messages: 1, perMs: 1_000 },
  wanted: z
    .strictObject({ kind: z.literal('slack_bot'), token, channel, ...newChannelSettings })
    .meta({ id: 'SlackBotChannelRequest' }),
  changes: { token, channel },
  target,
  host: 'slack.com',
  example: { token: `xoxb-${'0'.repeat(12)}`, channel: 'C0123456789' },
  guide: {
    about: 'As Slack, by a bot of yours, whose messages are kept up to date in their place.',
    steps: [
      makeSlackApp,
      'Under “OAuth & Permissions” add the bot scope chat:write, and press “Install to Workspace”.',
      'Copy the “Bot User OAuth Token”.',
      'In Slack, write /invite with the name of the bot in the channel.',
      'Open the details of the channel: its ID is at the bottom.',
    ],
    fields: [
      { name: 'token', label: 'Bot token', form: 'secret', example: 'xoxb-…' },
      { name: 'channel', label: 'Channel ID', form: 'text', example: 'C0123456789' },
    ],
  },
  newTarget: ({ token, channel }) => ({ kind: 'slack_bot', token, channel }),
  changedTarget: (target, change: Partial<GivenSlackBot>) => ({ ...target, ...change }),
  readerOf: ({ channel }) => `slack ${channel}`,
  recipientOf: ({ channel }) => channel,
} as const satisfies ChannelKindRow<SlackBotTarget, GivenSlackBot>;

const apiUrl = 'https://slack.com/api';

export const slackBotForm: HttpForm<SlackBotTarget> = {
  request: ({ message }, target) =>
    callOf('chat.postMessage', target, { channel: target.channel, ...slackContent(message) }),
  plainerBody: (message, { channel }) => JSON.stringify({ channel, ...slackTextContent(message) }),
  secretsOf: ({ token }) => [token],

  judge(answer, now) {
    const error = errorIn(answer);
    const afterMs = retryAfterMs(answer.headers['retry-after'], now);
    if (error === undefined) return isSuccess(answer) ? judgeOk(answer) : mayPass(answer, afterMs);
    const meaning = meanings.get(error) ?? 'refused';
    if (meaning === 'throttled') return { kind: 'throttled', reason: error, afterMs };
    if (meaning === 'retry') return { kind: 'retry', reason: error, afterMs };
    if (meaning === 'reshape') return { kind: 'reshape', reason: error };
    if (meaning === 'refused') return { kind: 'failed', reason: `refused_${error}`, isOurs: true };
    return { kind: 'failed', reason: error, channelIs: meaning };
  },

  edits: {
    receiptOf({ excerpt }) {
      const { channel, ts } = fieldsIn(excerpt);
      const receipt = `${channel}/${ts}`;
      return receiptForm.test(receipt) ? receipt : undefined;
    },
    request({ message }, target, receipt) {
      const [, channel = target.channel, ts = ''] = receiptForm.exec(receipt) ?? [];
      return callOf('chat.update', target, { channel, ts, ...slackContent(message) });
    },
    judge(answer, now) {
      const error = errorIn(answer);
      const afterMs = retryAfterMs(answer.headers['retry-after'], now);
      return error === undefined ? judgeEdit(answer, [], afterMs) : judgeEditError(error, afterMs);
    },
  },
};

/** The channel of the message and its time, which is its name there. */
const receiptForm = /^([A-Z0-9]{1,30})\/(\d{1,15}\.\d{1,10})$/;

function callOf(method: string, { token }: SlackBotTarget, body: object): HttpRequest {
  return {
    url: `${apiUrl}/${method}`,
    headers: { ...chatHeaders, authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  };
}

/** Slack's word for what is wrong; undefined if the answer has none. */
function errorIn({ excerpt }: PostAnswer): string | undefined {
  const { ok, error } = fieldsIn(excerpt);
  if (ok !== false) return undefined;
  return typeof error === 'string' && /^[a-z][a-z0-9_]{0,60}$/.test(error)
    ? error
    : 'unknown_error';
}

function judgeOk({ excerpt }: PostAnswer): Judgement {
  return fieldsIn(excerpt).ok === true ? { kind: 'sent' } : unconfirmed();
}

type Meaning = 'gone' | 'perhaps_gone' | 'throttled' | 'retry' | 'reshape';

/** The errors of chat.postMessage. An error that is not here is a mistake of ours. */
const meanings = new Map<string, Meaning>([
  ...each('gone', [
    ...['channel_not_found', 'is_archived', 'is_inactive', 'user_not_found', 'cannot_dm_bot'],
    ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'],
    ...['no_permission', 'not_allowed_token_type', 'team_access_not_granted', 'ekm_access_denied'],
    ...['messages_tab_disabled', 'channel_type_not_supported', 'two_factor_setup_required'],
  ]),
  // A person can put these right in Slack: invite the bot, give it the scope, lift the restriction.
  ...each('perhaps_gone', [
    ...['not_in_channel', 'missing_scope', 'access_denied', 'restricted_action', 'accesslimited'],
    ...['restricted_action_read_only_channel', 'restricted_action_thread_only_channel'],
    ...['restricted_action_non_threadable_channel', 'enterprise_is_restricted'],
    ...['org_login_required', 'team_quota_exceeded', 'is_frozen'],
  ]),
  ...each('throttled', ['ratelimited', 'rate_limited', 'message_limit_exceeded']),
  ...each('retry', [
    ...['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable'],
    ...['team_added_to_org', 'unknown_error'],
  ]),
  ...each('reshape', [
    ...['msg_too_long', 'invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'],
    ...['blocks_mismatch', 'too_many_attachments', 'invalid_attachments'],
  ]),
]);

function each(meaning: Meaning, errors: readonly string[]): [string, Meaning][] {
  return errors.map((error) => [error, meaning]);
}

/** The message is gone, or its time for edits is over. */
const uneditable = new Set([
  ...['message_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive'],
]);

function judgeEditError(reason: string, afterMs: number | undefined): EditJudgement {
  const meaning = uneditable.has(reason) ? 'gone' : meanings.get(reason);
  if (meaning === 'gone' || meaning === 'perhaps_gone') return { kind: 'gone', reason };
  if (meaning === 'throttled') return { kind: 'throttled', reason, afterMs };
  return meaning === 'retry' ? { kind: 'failed', reason } : { kind: 'refused', reason };
}
