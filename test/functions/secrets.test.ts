// Nothing that is secret comes out: not in answers, not in logs of attempts, not in queue messages, however
// a send ends.
import { beforeEach, describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { createAddressTarget } from '#shared/delivery/outbound/address-target.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { botUrlOf } from '#shared/delivery/telegram/bot.ts';
import { aChannel, below80, createDeliveryRig, ownerId } from '#test/support/delivering.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';
import { telegramUrl, withBot } from '#test/support/telegram.ts';

const canary = 'canaryK3yThatMustStayInside';
const canaryForms = [canary, Buffer.from(canary).toString('base64'), encodeURIComponent(canary)];

const targets: Channel['target'][] = [
  { kind: 'slack', url: `https://hooks.slack.com/services/T/B/${canary}` },
  { kind: 'discord', url: `https://discord.com/api/webhooks/1/${canary}` },
  { kind: 'teams', url: `https://x.logic.azure.com/workflows/1?sig=${canary}` },
  { kind: 'telegram', chat: { id: 4711, title: '@ann' } },
  { kind: 'slack_bot', token: `xoxb-${canary}`, channel: 'C0123456789' },
  { kind: 'ntfy', server: 'https://ntfy.sh', topic: canary, token: `tk_${canary}` },
  { kind: 'pushover', userKey: `u${canary}`, appToken: `a${canary}`, device: 'phone' },
  {
    kind: 'webhook',
    url: `https://example.com/${canary}`,
    headers: { Authorization: `Bearer ${canary}` },
    secrets: [
      { secret: `whsec_${Buffer.from(canary.repeat(2)).toString('base64')}`, expiresAt: null },
    ],
  },
];

/** The deployment's bot has the canary as its token. */
const botUrl = botUrlOf(telegramUrl, { token: `1:${canary}` });

/** Ways for a send to end, each of which says as much of the request as it can. */
const ends: [string, (url: string, body: string) => Promise<PostAnswer>][] = [
  [
    'an answer that repeats the request',
    async (_, body) => ({ status: 400, headers: {}, excerpt: body }),
  ],
  ['a refusal', async () => ({ status: 404, headers: {}, excerpt: 'no' })],
  ['an outage', async () => ({ status: 500, headers: {}, excerpt: 'down' })],
  ['a throttle', async () => ({ status: 429, headers: {}, excerpt: '' })],
  [
    'a network error that names the address',
    async (url) => {
      throw Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' });
    },
  ],
  [
    'an unknown error that names the address',
    async (url) => {
      throw new TypeError(`cannot read ${url}`);
    },
  ],
];

let tables: TestTables;
beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

describe.each(ends)('a send that ends in %s', (_, end) => {
  it.each(targets.map((target) => [target.kind, target] as const))(
    'to %s says nothing of the address or the secret',
    async (_kind, target) => {
      const rig = await createDeliveryRig(tables.stores);
      const channel = aChannel({ target });
      const mail = aChannel({
        channelId: 'ch_00000000000000000000000000000009',
        target: { kind: 'email', address: 'ann@example.com' },
      });
      await tables.stores.channels.create(channel);
      await tables.stores.channels.create(mail);
      const send = createSendWebhook({
        ...withBot,
        address: createAddressTarget(async () => botUrl),
        post: ({ url, headers, body }) => end(url, JSON.stringify([url, headers, body])),
        now: () => rig.clock.now,
      });
      rig.sendWith(async (prepared, to, delivery) =>
        to.channelId === mail.channelId ? { kind: 'sent' } : send(prepared, to, delivery),
      );
      const watch = await rig.watch([below80], [channel.channelId]);
      await rig.fire(watch);
      const results = [await rig.attempt(rig.queue[0]?.deliveryId ?? '')];
      await rig.drain();

      const log = (await tables.stores.deliveries.list(ownerId, { limit: 10 })).rows;
      const health = await tables.stores.channelHealth.find(channel.channelId);
      const said = JSON.stringify([results, log, health, rig.queue, rig.sent]);
      for (const form of canaryForms) expect(said).not.toContain(form);
      expect(log[0]?.log.length).toBeGreaterThan(0);
    },
  );
});
