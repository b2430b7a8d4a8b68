// The emulated chats refuse what the real ones refuse: too long, too many, too fast, badly shaped.
import { afterEach, describe, expect, it } from 'vitest';
import { createDiscordWebhook } from './discord.ts';
import { type EmulatedReceiver, type ServedReceiver, serve } from './receiver.ts';
import { createSlackApi, createSlackWebhook } from './slack.ts';
import { createTeamsFlow } from './teams.ts';

const at = Date.parse('2026-11-29T12:00:00Z');
const json = { 'content-type': 'application/json' };
const x = (length: number) => 'x'.repeat(length);

const sendTo =
  (receiver: EmulatedReceiver, url: string, headers: Record<string, string> = json) =>
  (body: object, now = at) =>
    receiver.answer({ url, headers, body: JSON.stringify(body) }, now);

describe('Slack', () => {
  const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } });
  const send = (body: object) =>
    sendTo(createSlackWebhook(), 'https://hooks.slack.com/services/a')(body);

  it.each([
    ['a header of 151', [{ type: 'header', text: { type: 'plain_text', text: x(151) } }]],
    ['a header of mrkdwn', [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }]],
    ['a section of 3,001', [section(x(3_001))]],
    ['an empty section', [section('')]],
    ['51 blocks', Array.from({ length: 51 }, () => section('x'))],
    [
      '11 fields',
      [
        {
          type: 'section',
          fields: Array.from({ length: 11 }, () => ({ type: 'mrkdwn', text: 'x' })),
        },
      ],
    ],
    ['a field of 2,001', [{ type: 'section', fields: [{ type: 'mrkdwn', text: x(2_001) }] }]],
    [
      'a button of 76',
      [
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: x(76) } }],
        },
      ],
    ],
    ['an image without words', [{ type: 'image', image_url: 'https://e.example/i.png' }]],
    ['an unknown block', [{ type: 'carousel' }]],
  ])('refuses %s', (_, blocks) => {
    expect(send({ blocks })).toMatchObject({ status: 400, excerpt: 'invalid_blocks' });
  });

  it('refuses blocks of more than 13,200 characters together, and a message of nothing', () => {
    expect(send({ blocks: Array.from({ length: 5 }, () => section(x(2_900))) }).excerpt).toBe(
      'msg_blocks_too_long',
    );
    expect(send({ text: ' ' }).excerpt).toBe('no_text');
  });

  it('takes three messages at once and then one a second', () => {
    const fast = sendTo(createSlackWebhook(), 'https://hooks.slack.com/services/a');
    const statuses = [0, 0, 0, 0, 1_000, 1_000].map((ms) => fast({ text: 'x' }, at + ms).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200, 429]);
    expect(fast({ text: 'x' }, at + 1_000).headers['retry-after']).toBe('1');
  });

  const workspace = { token: 'xoxb-1', channels: { C1: 'joined', C2: 'is_archived' } } as const;
  const call = (
    method: string,
    body: object,
    api: EmulatedReceiver = createSlackApi(workspace),
    token = 'xoxb-1',
  ) =>
    JSON.parse(
      sendTo(api, `https://slack.com/api/${method}`, { ...json, authorization: `Bearer ${token}` })(
        body,
      ).excerpt,
    );

  it('says in JSON what was wrong with a call of the Web API', () => {
    expect(call('chat.postMessage', { channel: 'C1', text: 'x' }, undefined, 'xoxb-2').error).toBe(
      'invalid_auth',
    );
    expect(call('chat.postMessage', { channel: 'C2', text: 'x' }).error).toBe('is_archived');
    expect(call('chat.postMessage', { channel: 'C3', text: 'x' }).error).toBe('channel_not_found');
    expect(call('chat.postMessage', { channel: 'C1', text: x(40_001) }).error).toBe('msg_too_long');
    expect(call('chat.update', { channel: 'C1', ts: '1.1', text: 'x' }).error).toBe(
      'message_not_found',
    );
  });

  it('edits a message in its place, and counts the text of an edit in bytes', () => {
    const api = createSlackApi(workspace);
    const { ts } = call('chat.postMessage', { channel: 'C1', text: 'one' }, api);
    expect(call('chat.update', { channel: 'C1', ts, text: 'é'.repeat(2_001) }, api).error).toBe(
      'msg_too_long',
    );
    expect(call('chat.update', { channel: 'C1', ts, text: 'two' }, api).ok).toBe(true);
    expect(api.messages.map(({ text }) => text)).toEqual(['two']);
  });
});

describe('Discord', () => {
  const webhook = () => createDiscordWebhook({ id: '1', token: 't' });
  const url = 'https://discord.com/api/webhooks/1/t?wait=true';
  const send = (body: object) => sendTo(webhook(), url)(body);

  it.each([
    ['a content of 2,001', { content: x(2_001) }, 'content'],
    ['a title of 257', { embeds: [{ title: x(257) }] }, 'embeds.0.title'],
    ['a description of 4,097', { embeds: [{ description: x(4_097) }] }, 'embeds.0.description'],
    [
      'a field of 1,025',
      { embeds: [{ fields: [{ name: 'n', value: x(1_025) }] }] },
      'embeds.0.fields.0.value',
    ],
    [
      'an empty field',
      { embeds: [{ fields: [{ name: 'n', value: ' ' }] }] },
      'embeds.0.fields.0.value',
    ],
    [
      '6,001 characters',
      { embeds: [{ description: x(4_000) }, { description: x(2_001) }] },
      'embeds',
    ],
    ['11 embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }, 'embeds'],
    [
      'a button that is no link',
      { components: [{ type: 1, components: [{ type: 2, style: 1, label: 'x' }] }] },
      'components.0.components.0',
    ],
  ])('refuses %s', (_, body, place) => {
    const { status, excerpt } = send(body);
    const found = place
      .split('.')
      .reduce((errors, part) => errors?.[part], JSON.parse(excerpt).errors);
    expect([status, found?._errors?.length]).toEqual([400, 1]);
  });

  it('refuses an empty message, another token and another webhook', () => {
    expect(send({ embeds: [] })).toMatchObject({ status: 400 });
    expect(sendTo(webhook(), 'https://discord.com/api/webhooks/1/u')({ content: 'x' }).status).toBe(
      401,
    );
    expect(sendTo(webhook(), 'https://discord.com/api/webhooks/2/t')({ content: 'x' }).status).toBe(
      404,
    );
  });

  it('takes five requests in two seconds and says when it takes more', () => {
    const fast = sendTo(webhook(), url);
    const answers = [0, 0, 0, 0, 500, 500, 2_000].map((ms) => fast({ content: 'x' }, at + ms));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
    expect(JSON.parse(answers[5]?.excerpt ?? '').retry_after).toBe(1.5);
    expect(answers[4]?.headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '1.5',
    });
  });

  it('shows buttons only where components are asked for, and mentions only where they are allowed', () => {
    const rows = [
      { type: 1, components: [{ type: 2, style: 5, label: 'Open', url: 'https://e.example' }] },
    ];
    const one = webhook();
    sendTo(one, url)({ content: 'a', components: rows, allowed_mentions: { parse: [] } });
    sendTo(one, `${url}&with_components=true`)({ content: 'b', components: rows });
    expect(one.messages.map(({ text }) => text)).toEqual(['a', 'b (mentions allowed)\nOpen']);
  });
});

describe('Teams', () => {
  const card = (body: unknown[], version = '1.4') => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: { type: 'AdaptiveCard', version, body },
      },
    ],
  });
  const flow = (body: object) => {
    const one = createTeamsFlow();
    const { status } = sendTo(one, 'https://flow.example')(body);
    return [status, one.messages.length, one.failedRuns[0]];
  };

  it('accepts a message that it can’t show', () => {
    expect(flow({ text: 'x' })).toEqual([202, 0, "'attachments' is Null"]);
    expect(flow(card([{ type: 'Poll' }]))).toEqual([202, 0, 'has an unknown element Poll']);
    expect(flow(card([{ type: 'TextBlock', text: 'x' }], '1.9'))).toEqual([
      202,
      0,
      'version 1.9 is not supported',
    ]);
    expect(flow(card([{ type: 'TextBlock', text: 'x' }]))).toEqual([202, 1, undefined]);
  });

  it('refuses more than 28 KB', () => {
    expect(flow(card([{ type: 'TextBlock', text: x(28_700) }]))[0]).toBe(413);
  });

  it('takes four messages a second and 60 in half a minute', () => {
    const send = sendTo(createTeamsFlow(), 'https://flow.example');
    const body = card([{ type: 'TextBlock', text: 'x' }]);
    expect([0, 0, 0, 0, 0].map(() => send(body).status)).toEqual([202, 202, 202, 202, 429]);
    const steady = Array.from(
      { length: 62 },
      (_, index) => send(body, at + 60_000 + index * 300).status,
    );
    expect([steady.filter((status) => status === 202).length, steady[61]]).toEqual([60, 429]);
  });
});

describe('on loopback', () => {
  let served: ServedReceiver | undefined;
  afterEach(() => served?.stop());

  it('a receiver answers by the same rules', async () => {
    const receiver = createSlackWebhook();
    served = await serve(receiver, () => at);
    const response = await fetch(`${served.url}/services/a`, {
      method: 'POST',
      body: '{"text":"hello"}',
    });
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
    expect(receiver.messages.map(({ text }) => text)).toEqual(['hello']);
  });
});
