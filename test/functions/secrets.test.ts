// Nothing that is secret comes out: not in answers, not in logs of attempts, not in queue messages, however
// a send ends.
import { beforeEach, describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { PostAnswer } from '#shared/delivery/outbound/post-answer.ts';
import { aChannel, below80, createDeliveryRig, ownerId } from '#test/support/delivering.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const canary = 'canaryK3yThatMustStayInside';
const canaryForms = [canary, Buffer.from(canary).toString('base64'), encodeURIComponent(canary)];

const targets: Channel['target'][] = [
  { kind: 'slack', url: `https://hooks.slack.com/services/T/B/${canary}` },
  { kind: 'discord', url: `https://discord.com/api/webhooks/1/${canary}` },
  { kind: 'teams', url: `https://x.logic.azure.com/workflows/1?sig=${canary}` },
  {
    kind: 'webhook',
    url: `https://example.com/${canary}`,
    secrets: [
      { secret: `whsec_${Buffer.from(canary.repeat(2)).toString('base64')}`, expiresAt: null },
    ],
  },
];

/** Ways for a send to end, each of which says as much of the address as it can. */
const ends: [string, (url: string) => Promise<PostAnswer>][] = [
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
      const send = createSendWebhook({ post: ({ url }) => end(url), now: () => rig.clock.now });
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
