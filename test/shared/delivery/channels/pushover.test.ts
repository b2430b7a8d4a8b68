// Pushover: the request, the room for texts in characters, and the meaning of answers.
import { describe, expect, it } from 'vitest';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { pushover, pushoverForm } from '#shared/delivery/channels/pushover.ts';
import { firedAt } from '#test/support/alerts.ts';
import { messageNaming, sampleOutgoing } from '#test/support/messages.ts';
import { createPushoverApp } from '#test/support/receivers/pushover.ts';

const user = 'u'.repeat(30);
const app = 'a'.repeat(30);
const target = pushover.newTarget({ user_key: user, app_token: app, device: 'phone' });
const level = sampleOutgoing.level as Outgoing;
const bodyOf = (outgoing: Outgoing) => JSON.parse(pushoverForm.request(outgoing, target, 0).body);
const answered = (status: number, body: unknown, headers = {}) => ({
  ...{ status, headers },
  excerpt: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('the request', () => {
  it('names user, application and device, and the time at which the market had the price', () => {
    expect(pushoverForm.request(level, target, 0).url).toBe(
      'https://api.pushover.net/1/messages.json',
    );
    expect(bodyOf(level)).toMatchObject({
      ...{ token: app, user, device: 'phone', timestamp: firedAt / 1_000 - 60, priority: 0 },
      url: 'https://getin.example/l/token/alt_00000000000000000000000000000001_1',
      url_title: 'Open in Getin',
    });
    expect(pushoverForm.secretsOf(target)).toEqual([user, app]);
  });

  it('passes quiet hours for urgent alerts and makes no sound when a number went back', () => {
    const told = level.told.map((one) => ({ ...one, alert: { ...one.alert, isUrgent: true } }));
    expect(bodyOf({ ...level, told }).priority).toBe(1);
    expect(bodyOf(sampleOutgoing.recovery as Outgoing).priority).toBe(-1);
  });

  it.each(['"', 'é', '😀', 'x'])('keeps the links in a message full of %j', (part) => {
    const { title, message } = bodyOf({ ...level, message: messageNaming(part.repeat(200), 60) });
    expect([...title].length).toBeLessThanOrEqual(250);
    expect([...message].length).toBeLessThanOrEqual(1_024);
    expect(message).toMatch(
      /\nand \d+ more\n[\s\S]*\nStop or snooze: https:\/\/getin\.example\/l\/token$/,
    );
  });

  it('leaves out a link that is too long', () => {
    const url = `https://getin.example/${'x'.repeat(500)}`;
    const links = [{ kind: 'open', label: 'Open in Getin', url } as const];
    const body = bodyOf({ ...level, message: { ...level.message, links } });
    expect(body).toMatchObject({
      url: 'https://getin.example/l/token',
      url_title: 'Stop or snooze',
    });
  });
});

describe('an answer', () => {
  it.each([
    [answered(200, { status: 1, request: 'r' }), { kind: 'sent' }],
    [answered(200, '<html>'), { kind: 'unconfirmed', reason: 'answer_not_understood' }],
    [
      answered(400, {
        user: 'invalid',
        errors: ['user identifier is not a valid user, group, or subscribed user key'],
        status: 0,
      }),
      { kind: 'failed', reason: 'http_400', channelIs: 'gone' },
    ],
    [
      answered(400, { token: 'invalid', errors: ['application token is invalid'], status: 0 }),
      { kind: 'failed', reason: 'http_400', channelIs: 'gone' },
    ],
    [
      answered(400, { errors: ['device name is not valid for user'], status: 0 }),
      { kind: 'failed', reason: 'http_400', channelIs: 'gone' },
    ],
    [
      answered(200, { errors: ['user key is invalid'], status: 0 }),
      { kind: 'failed', reason: 'http_200', channelIs: 'gone' },
    ],
    [
      answered(400, { message: 'cannot be blank', errors: ['message cannot be blank'], status: 0 }),
      { kind: 'failed', reason: 'refused_http_400', isOurs: true },
    ],
    [answered(302, ''), { kind: 'retry', reason: 'redirect_302' }],
    [answered(502, ''), { kind: 'retry', reason: 'http_502', afterMs: 5_000 }],
    [
      answered(503, '', { 'retry-after': '60' }),
      { kind: 'throttled', reason: 'http_503', afterMs: 60_000 },
    ],
  ])('%j is judged', (answer, judgement) => {
    expect(pushoverForm.judge(answer, firedAt)).toEqual(judgement);
  });

  it('that the month’s messages are used up means to wait until the next month, a day at a time', () => {
    const inAnHour = String(firedAt / 1_000 + 3_600);
    const judge = (reset: string) =>
      pushoverForm.judge(answered(429, { status: 0 }, { 'x-limit-app-reset': reset }), firedAt);
    expect(judge(inAnHour)).toEqual({ kind: 'throttled', reason: 'http_429', afterMs: 3_600_000 });
    expect(judge(String(firedAt / 1_000 + 9 * 86_400))).toMatchObject({ afterMs: 86_400_000 });
    expect(judge('soon')).toEqual({ kind: 'throttled', reason: 'http_429' });
  });

  it('of the service to a used-up month is put off', () => {
    const service = createPushoverApp({
      ...{ token: app, users: { [user]: ['phone'] } },
      ...{ messagesPerMonth: 1, resetsAt: firedAt / 1_000 + 60 },
    });
    const request = pushoverForm.request(level, target, firedAt);
    const kinds = [1, 2].map(() => pushoverForm.judge(service.answer(request, firedAt), firedAt));
    expect(kinds).toEqual([
      { kind: 'sent' },
      { kind: 'throttled', reason: 'http_429', afterMs: 60_000 },
    ]);
  });
});

describe('a change', () => {
  it('replaces keys, and takes the device away', () => {
    const changed = pushover.changedTarget(target, { app_token: 'b'.repeat(30), device: null });
    expect(changed).toEqual({ kind: 'pushover', userKey: user, appToken: 'b'.repeat(30) });
  });
});
