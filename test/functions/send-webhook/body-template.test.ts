// A webhook whose owner wrote a template for its bodies, at a real receiver on loopback: what comes over the line.
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { ChannelTarget } from '#shared/delivery/channels/channels.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';
import { createWebhookSecret } from '#shared/delivery/outbound/webhook.ts';
import type { ContentType } from '#shared/delivery/template/content-types.ts';
import { anAlert, firedAt, hostileNames } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';
import { post, receiver, stopReceivers } from '#test/support/hostile-receivers.ts';
import { outgoingOf } from '#test/support/messages.ts';
import { withBot } from '#test/support/telegram.ts';

const secret = createWebhookSecret();
const got: { headers: IncomingHttpHeaders; bytes: Buffer }[] = [];
let url: string;
let status: number;
let now: number;

beforeEach(async () => {
  got.length = 0;
  status = 200;
  now = firedAt + 30_000;
  url = await receiver(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    got.push({ headers: request.headers, bytes });
    response.writeHead(status).end();
  });
});
afterEach(stopReceivers);

const about = { deliveryId: 'dlv_1', ownerId: 'own_1', channelId: 'ch_1' } as const;
const delivery = newDelivery(
  { ...about, purpose: 'alert', channelKind: 'webhook' },
  { now: firedAt },
);

interface Template {
  bodyTemplate: string;
  contentType?: ContentType;
}

/** Sends alerts by a channel with a template. @returns the outcome, and what came. */
async function send(template: Template, alerts = [anAlert()]) {
  const target: ChannelTarget = {
    ...{ kind: 'webhook', url, payloadVersion: 2, ...template },
    secrets: [{ secret, expiresAt: null }],
  };
  const sendWebhook = createSendWebhook({ ...withBot, post, now: () => now });
  const { message, told } = outgoingOf({ alerts });
  const content = { message, told: [...told], leftOut: [], heldFor: undefined };
  const outcome = await sendWebhook(content, aChannel({ target }), delivery);
  const last = got.at(-1);
  if (!last) throw new Error('nothing came');
  return { outcome, ...last, body: last.bytes.toString() };
}

it('makes the body with its content type, and the signature is of these bytes', async () => {
  const { outcome, body, headers } = await send({
    ...{ bodyTemplate: 'now {{value}}: {{event_name}}', contentType: 'text/plain' },
  });
  expect(outcome).toEqual({ kind: 'sent', httpStatus: 200, excerpt: '' });
  expect(body).toBe('now $74: Knicks at Heat');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const signature = new Webhook(secret).sign('dlv_1', new Date(now), body);
  expect(headers['webhook-signature']).toBe(signature);
});

it('makes equal bytes on a retry two hours later', async () => {
  const bodyTemplate = '{"all": {{alerts}}, "text": "{{headline}}"}';
  const first = await send({ bodyTemplate });
  now += 7_200_000;
  expect((await send({ bodyTemplate })).body).toBe(first.body);
  expect(JSON.parse(first.body)).toMatchObject({ all: [{ now: 74 }] });
});

const alerts = Array.from({ length: 200 }, (_, index) => anAlert({ alertId: `alt_${index}` }));

it.each([
  '[{{#alerts}}{{#alerts}}{{alerts}}, {{/alerts}}{{/alerts}}0]',
  `[{{#alerts}}${'"{{event_name}}", '.repeat(400)}{{/alerts}}0]`,
])('tells as many alerts as fit, however often it repeats them: %s', async (bodyTemplate) => {
  const { outcome, bytes, body } = await send({ bodyTemplate }, alerts);
  expect(outcome).not.toHaveProperty('reason');
  expect(bytes.length).toBeLessThanOrEqual(20_000);
  expect(JSON.parse(body).length).toBeGreaterThan(1);
});

describe('a template that fails', () => {
  it.each([
    ['{"now": {{now}}', 'template_not_valid'],
    ['{{#is_test}}"a"{{/is_test}}', 'template_not_valid'],
    ['{{#alerts}}', 'template_failed'],
    ['{{#now}}'.repeat(21) + '{{/now}}'.repeat(21), 'template_failed'],
    [`"${'é'.repeat(8_000)}${'{{headline}}'.repeat(100)}"`, 'template_too_large'],
  ])('does not cost the alerts: %s', async (bodyTemplate, reason) => {
    const { outcome, body, headers } = await send({ bodyTemplate }, alerts);
    expect(outcome).toMatchObject({ kind: 'sent', reason });
    const { version, type, data } = webhookPayloadSchema.parse(JSON.parse(body));
    expect([version, type]).toEqual([2, 'alerts.fired']);
    expect(data).toMatchObject({ more: expect.any(Number) });
    expect(headers['content-type']).toBe('application/json');
  });

  it('leaves the reason of a failed attempt as it is', async () => {
    status = 500;
    const { outcome } = await send({ bodyTemplate: '{' });
    expect(outcome).toMatchObject({ kind: 'retry', reason: 'http_500' });
  });
});

describe.each<[ContentType, string]>([
  ['application/json', '{"event": "{{event_name}}", "where": {{venue_name}}, "{{sentence}}": 1}'],
  ['text/plain', '{{event_name}}\n{{venue_name}}\n{{sentence}}'],
  ['application/x-www-form-urlencoded', 'event={{event_name}}&where={{venue_name}}'],
])('a body of %s', (contentType, bodyTemplate) => {
  const names = hostileNames.map((name) => [name.slice(0, 30), name]);

  it.each(names)('is signed as it came, with its own headers alone: %j', async (_, name) => {
    const plain = await send({ bodyTemplate, contentType });
    const named = anAlert({ eventName: name, venueName: name, sentence: name });
    const { outcome, bytes, body, headers } = await send({ bodyTemplate, contentType }, [named]);
    expect(outcome).not.toHaveProperty('reason');
    expect(bytes.length).toBeLessThanOrEqual(20_000);
    expect(Buffer.from(body).equals(bytes)).toBe(true);
    const signature = new Webhook(secret).sign('dlv_1', new Date(now), body);
    expect(headers['webhook-signature']).toBe(signature);
    expect(Object.keys(headers)).toEqual(Object.keys(plain.headers));
    expect(headers['content-type']).toBe(plain.headers['content-type']);
    expect(bodyLines(body)).toBe(bodyLines(plain.body));
  });
});

/** A name adds no line. */
function bodyLines(body: string): number {
  return body.split(/[\r\n]/).length;
}
