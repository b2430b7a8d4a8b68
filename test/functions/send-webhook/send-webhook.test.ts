// One message to one real receiver on loopback, in each channel's form, and what becomes of the answer.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { ChannelTarget } from '#shared/delivery/channels/channels.ts';
import { rotateSecrets, secretOverlapMs } from '#shared/delivery/channels/webhook-secrets.ts';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';
import { createGuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { createWebhookSecret } from '#shared/delivery/outbound/webhook.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import { aListingAlert, anAlert, reading, stopUrl } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';
import { rawReceiver, stopReceivers } from '#test/support/hostile-receivers.ts';
import { withBot } from '#test/support/telegram.ts';

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const got: Got[] = [];
let answers: { status: number; body?: string }[];
let base: string;
let stop: () => void;
/** The libraries hold a timestamp against the real clock, so this one test file runs on it. */
let now: number;

beforeEach(async () => {
  got.length = 0;
  answers = [];
  now = Date.now();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: text = '' } = answers.shift() ?? { status: 200 };
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => stop());

const prepared = (...alerts: ReturnType<typeof anAlert>[]): Prepared => {
  const told = alerts.map((alert) => ({ alert, message: composeMessage(alert, reading) }));
  const message = alertsMessage(
    told.map(({ message: words }) => words),
    { stopUrl },
  );
  return { message, told, leftOut: [], heldFor: undefined };
};

const delivery: Delivery = newDelivery(
  {
    deliveryId: 'dlv_1',
    purpose: 'alert',
    ownerId: 'own_1',
    channelId: 'ch_1',
    channelKind: 'webhook',
  },
  { now: Date.parse('2026-03-01T12:02:00Z') },
);

const send = (target: ChannelTarget, content = prepared(anAlert())) =>
  createSendWebhook({
    ...withBot,
    post: createGuardedPost({ policy: { loopback: 'allowed' } }),
    now: () => now,
  })(content, aChannel({ target }), delivery);

const hook = (secrets: { secret: string; expiresAt: number | null }[]): ChannelTarget => ({
  kind: 'webhook',
  url: `${base}/hook`,
  secrets,
});

describe('a signed webhook', () => {
  const secret = createWebhookSecret();
  const headersOf = ({ headers }: Got) => headers as Record<string, string>;

  it('verifies with both libraries, and is of the described form', async () => {
    expect(await send(hook([{ secret, expiresAt: null }]))).toMatchObject({ kind: 'sent' });
    const [post] = got;
    if (!post) throw new Error('nothing came');
    const verified = new Webhook(secret).verify(post.body, headersOf(post));
    expect(new SvixWebhook(secret).verify(post.body, headersOf(post))).toEqual(verified);
    expect(webhookPayloadSchema.parse(verified)).toMatchObject({
      version: 1,
      type: 'alert.fired',
      data: { alert: { now: 7_400, before: 9_000, level: 8_000, unit: 'cents' } },
    });
    expect(post.headers['webhook-id']).toBe('dlv_1');
  });

  it('is the same, byte by byte, on a retry two hours later, under a fresh signature', async () => {
    await send(hook([{ secret, expiresAt: null }]));
    now -= 7_200_000;
    await send(hook([{ secret, expiresAt: null }]));
    const [first, second] = got;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  });

  it('carries two signatures while secrets overlap, and one afterwards', async () => {
    const fresh = createWebhookSecret();
    const secrets = rotateSecrets([{ secret, expiresAt: null }], fresh, now);
    await send(hook(secrets));
    const [post] = got;
    if (!post) throw new Error('nothing came');
    for (const each of [secret, fresh]) new Webhook(each).verify(post.body, headersOf(post));
    expect(String(post.headers['webhook-signature']).split(' ')).toHaveLength(2);

    now += secretOverlapMs;
    await send(hook(secrets));
    expect(String(got[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('stays under 20 KB however many alerts it tells of, and says how many are left out', async () => {
    const many = Array.from({ length: 60 }, () => aListingAlert(20));
    await send(hook([{ secret, expiresAt: null }]), prepared(...many));
    const body = got[0]?.body ?? '';
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
    const payload = webhookPayloadSchema.parse(JSON.parse(body));
    if (payload.type !== 'alerts.fired') throw new Error(payload.type);
    expect(payload.data.alerts.length + payload.data.more).toBe(60);
  });
});

describe('the headers that an owner added', () => {
  const secret = createWebhookSecret();
  const headers = { Authorization: 'Bearer t0ken-of-ann', 'X-Source': 'getin' };
  const target = (): ChannelTarget => ({
    ...{ kind: 'webhook', url: `${base}/hook`, headers },
    secrets: [{ secret, expiresAt: null }],
  });

  it('come with each message, beside a signature that verifies', async () => {
    expect(await send(target())).toMatchObject({ kind: 'sent' });
    const [post] = got;
    expect(post?.headers).toMatchObject({
      authorization: 'Bearer t0ken-of-ann',
      'x-source': 'getin',
      'content-type': 'application/json',
      'user-agent': 'Getin/1 (+webhooks)',
    });
    new Webhook(secret).verify(post?.body ?? '', post?.headers as Record<string, string>);
  });

  it.each([
    'bad credentials: Bearer t0ken-of-ann',
    '{"authorization":"bearer t0ken-of-ann"}',
    'token t0ken-of-ann is unknown',
    'cut: t0ken-of-…',
    'Bearer%20t0ken-of-ann',
  ])('are not in what is stored of the answer %j', async (body) => {
    answers = [{ status: 401, body }];
    const outcome = await send(target());
    expect(outcome).toMatchObject({ kind: 'retry', reason: 'http_401' });
    expect(outcome.excerpt).toContain('[hidden]');
    expect(outcome.excerpt?.toLowerCase()).not.toContain('t0ken');
  });
});

describe('a chat', () => {
  const chat = (kind: 'slack' | 'discord' | 'teams'): ChannelTarget => ({
    kind,
    url: `${base}/${kind}`,
  });

  it('Slack gets text alone when it refuses the blocks, once', async () => {
    answers = [
      { status: 400, body: 'invalid_blocks' },
      { status: 200, body: 'ok' },
    ];
    expect(await send(chat('slack'))).toMatchObject({ kind: 'sent' });
    expect(got.map(({ body }) => 'blocks' in JSON.parse(body))).toEqual([true, false]);
  });

  it('Slack that refuses the text as well has failed', async () => {
    answers = [
      { status: 400, body: 'invalid_blocks' },
      { status: 400, body: 'invalid_payload' },
    ];
    expect(await send(chat('slack'))).toMatchObject({ kind: 'failed', reason: 'refused_http_400' });
    expect(got).toHaveLength(2);
  });

  it('Discord is asked to wait for the message', async () => {
    await send(chat('discord'));
    expect(got[0]?.path).toBe('/discord?wait=true&with_components=true');
  });

  it('Teams gets a smaller card when it says that it was too large, once', async () => {
    answers = [{ status: 200, body: 'HTTP error 413 returned' }, { status: 202 }];
    const many = Array.from({ length: 60 }, () => anAlert({ eventName: 'n'.repeat(200) }));
    expect(await send(chat('teams'), prepared(...many))).toMatchObject({ kind: 'sent' });
    const [large = 0, small = 0] = got.map(({ body }) => Buffer.byteLength(body));
    expect(small).toBeLessThanOrEqual(8_000);
    expect(large).toBeGreaterThan(small);
  });
});

it('an address that is refused is never retried, and nothing is sent', async () => {
  const target: ChannelTarget = { kind: 'slack', url: 'https://169.254.169.254/services/x' };
  expect(await send(target)).toEqual({ kind: 'failed', reason: 'address_not_public' });
  expect(got).toEqual([]);
});

describe('a receiver whose answer begins unusually', () => {
  afterEach(stopReceivers);
  const many = Array.from({ length: 170 }, (_, line) => `x-${line}: ${'y'.repeat(100)}\r\n`);

  it.each([
    ['100 Continue, which nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n', ''],
    ['two of them', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', ''],
    ['17 KB of headers', '', many.join('')],
  ])('has taken the message after %s, and the next one too', async (_, before, headers) => {
    const url = await rawReceiver((socket) => {
      const answer = () =>
        socket.write(`${before}HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\nok`);
      answer();
      // The next message comes on the same connection.
      socket.on('data', (chunk) => String(chunk).endsWith('}') && answer());
    });
    const post = createGuardedPost({ policy: { loopback: 'allowed' } });
    const sendTo = createSendWebhook({ ...withBot, post, now: () => now });
    const channel = aChannel({ target: { kind: 'webhook', url, secrets: [] } });
    for (const _message of [1, 2]) {
      expect(await sendTo(prepared(anAlert()), channel, delivery)).toMatchObject({
        kind: 'sent',
        httpStatus: 200,
        excerpt: 'ok',
      });
    }
  });
});

describe('a receiver that repeats what it was asked', () => {
  it.each([404, 200])(
    'with a %i leaves neither its address nor the stop link in the log',
    async (status) => {
      const url = `${base}/in/s3cret-token?key=passw0rd`;
      const body = `Cannot POST /in/s3cret-token?key=passw0rd (&#x2F;in&#x2F;s3cret-token), ${stopUrl}`;
      answers = [{ status, body }];
      const outcome = await send({ kind: 'webhook', url, secrets: [] });
      expect(outcome).toMatchObject({ excerpt: expect.stringContaining('Cannot POST [hidden]') });
      expect(JSON.stringify(outcome)).not.toMatch(/s3cret|passw0rd|\/l\/token/);
    },
  );
});
