// Slack by a bot's token: calls of the Web API, the meaning of its answers, and edits.
import { describe, expect, it } from 'vitest';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { renderSlack } from '#shared/delivery/channels/slack-blocks.ts';
import { slackBot, slackBotForm } from '#shared/delivery/channels/slack-bot.ts';
import { firedAt } from '#test/support/alerts.ts';
import { messageNaming, sampleOutgoing } from '#test/support/messages.ts';
import { createSlackApi } from '#test/support/receivers/slack.ts';

const token = `xoxb-${'1'.repeat(12)}`;
const target = slackBot.newTarget({ token, channel: 'C0123456789' });
const level = sampleOutgoing.level as Outgoing;
const answered = (body: unknown, status = 200, headers = {}) => ({
  ...{ status, headers },
  excerpt: typeof body === 'string' ? body : JSON.stringify(body),
});
const workspace = (state: 'joined' | 'is_archived' | 'not_in_channel' = 'joined') =>
  createSlackApi({ token, channels: { C0123456789: state } });

it('posts what a webhook gets, to a channel, with the token in the header alone', () => {
  const { url, headers, body } = slackBotForm.request(level, target, 0);
  expect(url).toBe('https://slack.com/api/chat.postMessage');
  expect(headers.authorization).toBe(`Bearer ${token}`);
  expect(JSON.parse(body)).toEqual({
    channel: 'C0123456789',
    ...JSON.parse(renderSlack(level.message)),
  });
  expect(body).not.toContain(token);
  expect(slackBotForm.secretsOf(target)).toEqual([token]);
});

describe('an answer', () => {
  const gone = (reason: string) => ({ kind: 'failed', reason, channelIs: 'gone' });
  const perhapsGone = (reason: string) => ({ kind: 'failed', reason, channelIs: 'perhaps_gone' });

  it.each([
    ['channel_not_found', gone('channel_not_found')],
    ['is_archived', gone('is_archived')],
    ['invalid_auth', gone('invalid_auth')],
    ['account_inactive', gone('account_inactive')],
    ['token_revoked', gone('token_revoked')],
    ['not_in_channel', perhapsGone('not_in_channel')],
    ['missing_scope', perhapsGone('missing_scope')],
    ['restricted_action', perhapsGone('restricted_action')],
    ['msg_too_long', { kind: 'reshape', reason: 'msg_too_long' }],
    ['invalid_blocks', { kind: 'reshape', reason: 'invalid_blocks' }],
    ['fatal_error', { kind: 'retry', reason: 'fatal_error' }],
    ['internal_error', { kind: 'retry', reason: 'internal_error' }],
    ['request_timeout', { kind: 'retry', reason: 'request_timeout' }],
    ['no_text', { kind: 'failed', reason: 'refused_no_text', isOurs: true }],
    ['<b>odd</b>', { kind: 'retry', reason: 'unknown_error' }],
  ])('with the error %j is judged', (error, judgement) => {
    expect(slackBotForm.judge(answered({ ok: false, error }), firedAt)).toEqual(judgement);
  });

  it.each([
    [answered({ ok: true, channel: 'C1', ts: '1.2' }), { kind: 'sent' }],
    [answered('<html>'), { kind: 'unconfirmed', reason: 'answer_not_understood' }],
    [
      answered({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '30' }),
      { kind: 'throttled', reason: 'ratelimited', afterMs: 30_000 },
    ],
    [
      answered('', 429, { 'retry-after': '2' }),
      { kind: 'throttled', reason: 'http_429', afterMs: 2_000 },
    ],
    [answered('', 503), { kind: 'retry', reason: 'http_503' }],
  ])('%j is judged', (answer, judgement) => {
    expect(slackBotForm.judge(answer, firedAt)).toEqual(judgement);
  });

  it('of the workspace says whether the bot may post', () => {
    const judge = (api: ReturnType<typeof workspace>, to = target) =>
      slackBotForm.judge(api.answer(slackBotForm.request(level, to, 0), firedAt), firedAt);
    expect(judge(workspace())).toEqual({ kind: 'sent' });
    expect(judge(workspace('is_archived'))).toMatchObject({ channelIs: 'gone' });
    expect(judge(workspace('not_in_channel'))).toMatchObject({ channelIs: 'perhaps_gone' });
    expect(judge(workspace(), { ...target, token: 'xoxb-2' })).toMatchObject({
      reason: 'invalid_auth',
    });
  });
});

describe('an edit', () => {
  const { edits } = slackBotForm;
  if (!edits) throw new Error('a bot can edit');

  it('replaces the message that the answer named, whatever the size of the names', () => {
    const api = workspace();
    const receipt = edits.receiptOf(api.answer(slackBotForm.request(level, target, 0), firedAt));
    expect(receipt).toMatch(/^C0123456789\/\d+\.\d{6}$/);
    const message = messageNaming('中'.repeat(200), 40);
    const request = edits.request({ ...level, message }, target, receipt ?? '', 0);
    if (!request) throw new Error('a bot can edit');
    const answer = api.answer(request, firedAt);
    expect(edits.judge(answer, firedAt)).toEqual({ kind: 'edited' });
    expect(api.messages.map(({ text }) => text.includes('中'))).toEqual([true]);
  });

  it('names the channel of the message, also after the target has got another one', () => {
    const moved = { ...target, channel: 'C9999999999' };
    const { url, body = '' } = edits.request(level, moved, 'C0123456789/1.000002', 0) ?? {};
    expect(url).toBe('https://slack.com/api/chat.update');
    expect(JSON.parse(body)).toMatchObject({ channel: 'C0123456789', ts: '1.000002' });
  });

  it.each([{}, { ok: true }, { channel: 'C1', ts: 'now' }, { channel: '../x', ts: '1.2' }])(
    'is not made when the answer is %j',
    (body) => {
      expect(edits.receiptOf(answered(body))).toBeUndefined();
    },
  );

  it.each([
    ['message_not_found', { kind: 'gone', reason: 'message_not_found' }],
    ['edit_window_closed', { kind: 'gone', reason: 'edit_window_closed' }],
    ['token_revoked', { kind: 'gone', reason: 'token_revoked' }],
    ['msg_too_long', { kind: 'refused', reason: 'msg_too_long' }],
    ['internal_error', { kind: 'failed', reason: 'internal_error' }],
    ['ratelimited', { kind: 'throttled', reason: 'ratelimited' }],
  ])('answered with %s is judged', (error, judgement) => {
    expect(edits.judge(answered({ ok: false, error }), firedAt)).toEqual(judgement);
  });
});
