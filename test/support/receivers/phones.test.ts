// The emulated phone services refuse what the real ones refuse: too long, too many, too fast, badly shaped.
import { describe, expect, it } from 'vitest';
import { createNtfyServer } from './ntfy.ts';
import { createPushoverApp } from './pushover.ts';
import type { EmulatedReceiver } from './receiver.ts';

const at = Date.parse('2026-11-29T12:00:00Z');
const json = { 'content-type': 'application/json' };
const x = (length: number) => 'x'.repeat(length);

const sendTo =
  (receiver: EmulatedReceiver, url: string, headers: Record<string, string> = json) =>
  (body: object, now = at) =>
    receiver.answer({ url, headers, body: JSON.stringify(body) }, now);

describe('ntfy', () => {
  const publish = (body: object, server = createNtfyServer()) =>
    JSON.parse(sendTo(server, 'https://ntfy.sh/')({ topic: 'a', ...body }).excerpt).code;

  it('counts bytes', () => {
    expect(publish({ title: 'é'.repeat(513) })).toBe(40057);
    expect(publish({ tags: [x(513)] })).toBe(40058);
    expect(publish({ message: 'é'.repeat(2_049) })).toBe(41301);
    expect(publish({ message: '"'.repeat(4_090), click: x(200) })).toBe(41303);
    expect(publish({ message: 'é'.repeat(2_048) })).toBeUndefined();
  });

  it('refuses other actions than three to view', () => {
    const view = { action: 'view', label: 'x', url: 'https://e.example' };
    expect(publish({ actions: [view, view, view] })).toBeUndefined();
    expect(publish({ actions: [view, view, view, view] })).toBe(40018);
    expect(publish({ actions: [{ ...view, action: 'http' }] })).toBe(40018);
  });

  it('takes 60 requests at once, then one in 5 seconds, and so many a day', () => {
    const server = createNtfyServer({ messagesPerDay: 61 });
    const send = sendTo(server, 'https://ntfy.sh/');
    const codes = Array.from({ length: 61 }, () => JSON.parse(send({ topic: 'a' }).excerpt).code);
    expect([codes.filter((code) => code === undefined).length, codes[60]]).toEqual([60, 42901]);
    expect(send({ topic: 'a' }, at + 5_000).status).toBe(200);
    expect(JSON.parse(send({ topic: 'a' }, at + 10_000).excerpt).code).toBe(42908);
  });

  it('replaces the notification with the same sequence id, without a sound at a low priority', () => {
    const server = createNtfyServer();
    publish({ sequence_id: 's', message: 'one' }, server);
    publish({ sequence_id: 's', message: 'two', priority: 2 }, server);
    expect(server.messages.map(({ id, text, sounds }) => [id, text.trim(), sounds])).toEqual([
      ['s', 'two', 1],
    ]);
  });
});

describe('Pushover', () => {
  const users = { u: ['phone'] };
  const push = (body: object, app = createPushoverApp({ token: 'a', users })) =>
    sendTo(
      app,
      'https://api.pushover.net/1/messages.json',
    )({ token: 'a', user: 'u', message: 'm', ...body });

  it.each([
    [{ token: 'b' }, 'application token is invalid'],
    [{ user: 'v' }, 'user identifier is not a valid user, group, or subscribed user key'],
    [{ device: 'tablet' }, 'device name is not valid for user'],
    [{ message: '' }, 'message cannot be blank'],
    [{ message: '😀'.repeat(1_025) }, 'message is too long (over 1024 characters)'],
    [{ title: x(251) }, 'title is too long (over 250 characters)'],
    [{ priority: 2 }, 'priority is invalid'],
  ])('refuses %j', (body, error) => {
    const { status, excerpt } = push(body);
    expect([status, JSON.parse(excerpt).errors]).toEqual([400, [error]]);
  });

  it('takes so many messages a month, and says when the next month begins', () => {
    const app = createPushoverApp({
      token: 'a',
      users,
      messagesPerMonth: 1,
      resetsAt: 1_796_083_200,
    });
    expect(push({ message: '😀'.repeat(1_024) }, app).status).toBe(200);
    const { status, headers } = push({}, app);
    expect([status, headers['x-limit-app-reset']]).toEqual([429, '1796083200']);
  });
});
