// What each receiver's answer means: the table of channels.md, and the waits that 429 asks for in each
// dialect.
import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '#shared/delivery/outbound/judge-answer.ts';
import { retryAfterMs } from '#shared/delivery/outbound/retry-after.ts';

const now = Date.parse('2026-10-21T07:27:30Z');
type Kind = Parameters<typeof judgeAnswer>[0];
const judge = (kind: Kind, status: number, excerpt = '', headers = {}) =>
  judgeAnswer(kind, { status, excerpt, headers, secrets: [] }, now);

it.each<Kind>(['webhook', 'telegram', 'discord', 'slack'])(
  'a throttled second copy for %s is a failure with its wait, because the first copy may have arrived',
  (kind) => {
    const headers = { 'retry-after': '7' };
    const answer = { status: 429, excerpt: '', headers, secrets: [] };
    const first = judgeAnswer(kind, answer, now);
    expect(first.kind).toBe('throttled');
    const second = judgeAnswer(kind, { ...answer, isSecond: true }, now);
    expect(second).toEqual({ ...first, kind: 'retry' });
  },
);

describe('an answer', () => {
  it.each<[Kind, number, string, object]>([
    ['webhook', 200, '', { kind: 'sent' }],
    ['webhook', 204, '', { kind: 'sent' }],
    ['webhook', 302, '', { kind: 'retry', reason: 'redirect_302' }],
    ['webhook', 400, '', { kind: 'retry', reason: 'http_400' }],
    ['webhook', 401, '', { kind: 'retry', reason: 'http_401' }],
    ['webhook', 404, '', { kind: 'retry', reason: 'http_404' }],
    ['webhook', 408, '', { kind: 'retry', reason: 'http_408' }],
    ['webhook', 410, '', { kind: 'failed', reason: 'http_410', channelIs: 'gone' }],
    ['webhook', 413, '', { kind: 'retry', reason: 'http_413' }],
    ['webhook', 425, '', { kind: 'retry', reason: 'http_425' }],
    ['webhook', 429, '', { kind: 'throttled', reason: 'http_429' }],
    ['webhook', 500, '', { kind: 'retry', reason: 'http_500' }],
    ['webhook', 501, '', { kind: 'retry', reason: 'http_501' }],
    ['slack', 200, 'ok', { kind: 'sent' }],
    ['slack', 200, '<html>', { kind: 'unconfirmed', reason: 'answer_not_understood' }],
    ['slack', 400, 'invalid_blocks', { kind: 'reshape', reason: 'http_400' }],
    ['slack', 400, 'bad_weather', { kind: 'failed', reason: 'refused_http_400', isOurs: true }],
    ['slack', 400, 'user_not_found', { kind: 'failed', reason: 'http_400', channelIs: 'gone' }],
    ['slack', 400, 'no_service', { kind: 'failed', reason: 'http_400', channelIs: 'gone' }],
    ['slack', 403, 'invalid_token', { kind: 'failed', channelIs: 'gone' }],
    ['slack', 413, '', { kind: 'reshape', reason: 'http_413' }],
    ['slack', 403, 'action_prohibited', { kind: 'failed', channelIs: 'gone' }],
    ['slack', 404, 'channel_not_found', { kind: 'failed', channelIs: 'gone' }],
    ['slack', 410, 'channel_is_archived', { kind: 'failed', channelIs: 'gone' }],
    ['slack', 429, '', { kind: 'throttled' }],
    ['slack', 500, 'rollup_error', { kind: 'retry' }],
    ['discord', 200, '{"id":"1"}', { kind: 'sent' }],
    [
      'discord',
      400,
      '{"embeds":["0"]}',
      { kind: 'failed', reason: 'refused_http_400', isOurs: true },
    ],
    [
      'discord',
      400,
      '{"message":"Webhooks posted to forum channels must have a thread_name","code": 220001}',
      { kind: 'failed', reason: 'http_400', channelIs: 'gone' },
    ],
    ['discord', 413, '', { kind: 'failed', reason: 'refused_http_413', isOurs: true }],
    ['discord', 401, '', { kind: 'failed', channelIs: 'gone' }],
    ['discord', 403, '', { kind: 'failed', channelIs: 'gone' }],
    ['discord', 404, '', { kind: 'failed', channelIs: 'gone' }],
    ['discord', 502, '', { kind: 'retry' }],
    ['teams', 202, '', { kind: 'sent' }],
    ['teams', 200, '1', { kind: 'sent' }],
    ['teams', 200, '{}', { kind: 'unconfirmed' }],
    ['teams', 200, 'Webhook message delivery failed with HTTP error 429', { kind: 'throttled' }],
    ['teams', 200, 'delivery failed with error: HTTP error 413 returned', { kind: 'reshape' }],
    ['teams', 400, '', { kind: 'failed', reason: 'refused_http_400', isOurs: true }],
    [
      'teams',
      400,
      '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}',
      { kind: 'failed', reason: 'http_400', channelIs: 'perhaps_gone' },
    ],
    ['teams', 401, '', { kind: 'failed', channelIs: 'perhaps_gone' }],
    ['teams', 404, '', { kind: 'failed', channelIs: 'perhaps_gone' }],
    ['teams', 413, '', { kind: 'reshape' }],
    ['teams', 503, '', { kind: 'retry' }],
  ])('of %s with %i %j means %j', (kind, status, excerpt, meaning) => {
    expect(judge(kind, status, excerpt)).toMatchObject(meaning);
  });

  it('keeps a short, clean start of what was said', () => {
    const judged = judge('webhook', 500, `<b>no\u202e\r\n${'x'.repeat(5_000)}😀`);
    expect(judged).toMatchObject({ httpStatus: 500 });
    const excerpt = 'excerpt' in judged ? (judged.excerpt ?? '') : '';
    expect(excerpt.length).toBeLessThanOrEqual(300);
    expect(excerpt.startsWith('<b>no xxx')).toBe(true);
  });
});

describe('a wait', () => {
  it.each([
    ['30', 30_000],
    ['120', 120_000],
    ['1.5', 2_000],
    ['0', 1_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 30_000],
    ['Wed, 21 Oct 2026 07:20:00 GMT', 1_000],
    ['999999999', 86_400_000],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['30, 60', undefined],
    ['Thu, 21 Smarch 2026 07:28:00 GMT', undefined],
    [undefined, undefined],
  ])('of Retry-After %j is %j ms', (header, waitMs) => {
    expect(retryAfterMs(header, now)).toBe(waitMs);
  });

  it.each<[string, object, number | undefined]>([
    ['{"retry_after":0.348}', { 'retry-after': '1' }, 1_000],
    ['{"retry_after":64.57}', {}, 65_000],
    ['', {}, undefined],
    ['', { 'retry-after': '348' }, undefined],
    ['', { 'x-ratelimit-reset-after': '1.2' }, 2_000],
    ['{"retry_after":-1}', {}, undefined],
    ['{"retry_after":"abc"}', {}, undefined],
    ['not json', {}, undefined],
  ])('of Discord’s %s %j is %j ms', (body, headers, waitMs) => {
    expect(judge('discord', 429, body, headers)).toMatchObject({ kind: 'throttled' });
    const judged = judge('discord', 429, body, headers);
    expect('afterMs' in judged ? judged.afterMs : 'none').toBe(waitMs);
  });

  it('makes a 503 a throttle', () => {
    expect(judge('webhook', 503, '', { 'retry-after': '9' })).toMatchObject({
      kind: 'throttled',
      afterMs: 9_000,
    });
  });
});
