// Faults that others' systems were reported for, each played as it was seen; the rest of them are held by
// the tests that shared/alerts/README.md names.
import { describe, expect, it } from 'vitest';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import { createAttemptInSight } from '#shared/delivery/our-faults.ts';
import { createChatPace } from '#shared/delivery/pace.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import {
  chat,
  day,
  hook,
  hour,
  mail,
  minute,
  openDeliveries,
} from '#test/support/deliveries/setup.ts';
import {
  aChannel,
  below80,
  createDeliveryRig,
  ownerId,
  startMs,
} from '#test/support/delivering.ts';
import { withBot } from '#test/support/telegram.ts';

const { opened, make } = openDeliveries();

const numbered = (index: number, changes: Parameters<typeof aChannel>[0]) =>
  aChannel({ ...changes, channelId: `ch_${String(index).padStart(32, '0')}` });

async function fireTo(...channelIds: string[]): Promise<string> {
  return opened.rig.fire(await opened.rig.watch([below80], channelIds));
}

describe('B32: a receiver recovers', () => {
  it('gets one copy of what two senders tried, all under one id', async () => {
    await make(hook);
    await fireTo(hook.channelId);
    const { rig } = opened;
    const id = rig.queue.splice(0)[0]?.deliveryId ?? '';
    rig.answers.push({ kind: 'retry', reason: 'http_500' }, { kind: 'retry', reason: 'http_500' });
    const outcomes: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const both = await Promise.all([rig.attempt(id), rig.attempt(id)]);
      outcomes.push(...both.map(({ outcome }) => outcome).sort());
      rig.clock.now += 10 * minute;
    }

    expect(outcomes).toEqual([
      ...['not_claimed', 'retry'],
      ...['not_claimed', 'retry'],
      ...['not_claimed', 'sent'],
      ...['not_claimed', 'not_claimed'],
    ]);
    expect(new Set(rig.sent.map(({ deliveryId }) => deliveryId))).toEqual(new Set([id]));
  });
});

describe('B33: it timed out, but the receiver had it', () => {
  it('comes again as the same bytes under the same id, freshly signed, one alert with two attempts', async () => {
    await make(hook);
    const { rig } = opened;
    const seen: { headers: Record<string, string>; body: string }[] = [];
    rig.sendWith(
      createSendWebhook({
        ...withBot,
        post: async ({ headers, body }) => {
          seen.push({ headers, body });
          if (seen.length === 1) throw Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
          return { status: 200, headers: {}, excerpt: '' };
        },
        now: () => rig.clock.now,
      }),
    );
    await fireTo(hook.channelId);
    await rig.drain();
    await rig.pass(10_000, 1_000);

    const [first, second] = seen;
    expect(seen).toHaveLength(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    expect((await rig.log()).map(({ log, status }) => [log.length, status])).toEqual([[2, 'sent']]);
    expect(await rig.alerts()).toHaveLength(1);
  });
});

describe('B36: everything becomes true at once', () => {
  it('is spread under the channel’s limit, and told in few messages', async () => {
    const { tables } = opened;
    const rig = await createDeliveryRig(tables.stores, {
      takeTurn: createChatPace(tables.stores.tallies),
    });
    await make(chat);
    for (let each = 0; each < 60; each += 1) {
      await rig.fire(await rig.watch([below80], [chat.channelId]));
    }
    await rig.drain();
    await rig.pass(5_000, 1_000);

    const perSecond = Map.groupBy(rig.sent, ({ at }) => Math.floor(at / 1_000));
    expect([...perSecond.values()].map((sent) => sent.length)).toEqual([1, 1]);
    expect(rig.sent.flatMap(({ told }) => told)).toHaveLength(60);
  }, 120_000);
});

describe('B40: a receiver that fails now and then', () => {
  it('stays switched on, however often it fails between its successes', async () => {
    await make(hook, mail);
    const { rig } = opened;
    for (let round = 0; round < 4; round += 1) {
      rig.answers.push(
        ...Array.from({ length: 4 }, () => ({ kind: 'retry', reason: 'http_500' }) as const),
      );
      await fireTo(hook.channelId);
      await rig.pass(40 * hour, 4 * hour);
    }

    expect(await opened.tables.stores.channels.find(hook.channelId)).toMatchObject({
      status: 'active',
    });
    expect(rig.sent.filter(({ channelId }) => channelId === mail.channelId)).toEqual([]);
  }, 120_000);
});

describe('B42: customers’ dead addresses and our own mistakes', () => {
  it('only ours are left to the DLQ', async () => {
    const { rig, tables } = opened;
    const ends: [count: number, outcome: SendOutcome][] = [
      [6, { kind: 'retry', reason: 'http_404' }],
      [2, { kind: 'failed', reason: 'http_410', channelIs: 'gone' }],
      [1, { kind: 'retry', reason: 'dns_failure' }],
      [1, { kind: 'failed', reason: 'refused_http_400', isOurs: true }],
    ];
    const outcomes = ends.flatMap(([count, outcome]) =>
      Array.from({ length: count }, () => outcome),
    );
    const byChannel = new Map<string, SendOutcome>();
    for (const [index, outcome] of outcomes.entries()) {
      const channel = numbered(index, { ...hook });
      byChannel.set(channel.channelId, outcome);
      await make(channel);
      await fireTo(channel.channelId);
    }
    rig.sendWith(async (_p, { channelId }) => byChannel.get(channelId) ?? { kind: 'sent' });
    const { deliveries } = tables.stores;
    const inSight = createAttemptInSight({ deliveries, attempt: rig.attempt });
    const left: string[] = [];
    for (const { deliveryId } of rig.queue.splice(0)) {
      const results = [];
      for (const count of [1, 2, 3, 4, 5]) {
        results.push(await inSight(deliveryId, () => rig.clock.now, count));
      }
      if (results.every(({ isOurFault }) => isOurFault)) left.push(deliveryId);
    }

    const log = await rig.log();
    expect(left).toHaveLength(1);
    expect(log.find(({ deliveryId }) => deliveryId === left[0])?.lastReason).toBe(
      'refused_http_400',
    );
    const alerts = log.filter(({ purpose }) => purpose === 'alert');
    expect(alerts.filter(({ status }) => status === 'pending')).toHaveLength(7);
    const statusOf = async (id: string) => (await tables.stores.channels.find(id))?.status;
    const off = await Promise.all([...byChannel.keys()].map(statusOf));
    expect(off.filter((status) => status === 'disabled')).toHaveLength(2);
  });
});

describe('B46: the channel changes between two attempts', () => {
  it('gets what is tried again at its new address, signed with its new secret', async () => {
    await make(hook);
    const { rig, tables } = opened;
    const signedFor: string[] = [];
    rig.sendWith(async (_p, { target }) => {
      if (target.kind === 'webhook') signedFor.push(`${target.url} ${target.secrets[0]?.secret}`);
      return signedFor.length === 1 ? { kind: 'retry', reason: 'http_500' } : { kind: 'sent' };
    });
    await fireTo(hook.channelId);
    await rig.drain();
    const secrets = [{ secret: `whsec_${'B'.repeat(32)}`, expiresAt: null }];
    const target = { kind: 'webhook', url: 'https://example.com/new', secrets } as const;
    await tables.stores.channels.changeSettings(hook.channelId, { target }, hook);
    await rig.pass(10_000, 1_000);

    expect(signedFor).toEqual([
      `https://example.com/hook whsec_${'A'.repeat(32)}`,
      `https://example.com/new whsec_${'B'.repeat(32)}`,
    ]);
  });
});

describe('B67: thirty alerts to one chat in a second', () => {
  it('all arrive, none before the wait is over, and other channels are not slowed', async () => {
    await make(chat, hook);
    const { rig } = opened;
    let openAt = 0;
    rig.sendWith(async (_p, { channelId }) => {
      if (channelId === hook.channelId) return { kind: 'sent' };
      if (rig.clock.now < openAt) return { kind: 'throttled', reason: 'http_429', afterMs: 1_000 };
      openAt = rig.clock.now + 1_000;
      return { kind: 'sent' };
    });
    for (let each = 0; each < 30; each += 1) await fireTo(chat.channelId, hook.channelId);
    await rig.drain();
    expect(rig.sent.filter(({ channelId }) => channelId === hook.channelId)).toHaveLength(30);
    await rig.pass(10_000, 1_000);

    const log = (await rig.log()).filter(({ channelId }) => channelId === chat.channelId);
    const sent = log.filter(({ status }) => status === 'sent');
    expect(sent.reduce((count, { alertIds }) => count + (alertIds?.size ?? 0), 0)).toBe(30);
    expect(log.every(({ status }) => status === 'sent' || status === 'merged')).toBe(true);
  }, 120_000);
});

describe('B101: one mail of ten fails, and the sender dies', () => {
  it('is sent again alone: nobody else is mailed twice', async () => {
    const { rig } = opened;
    const channels = Array.from({ length: 10 }, (_, index) =>
      numbered(index, { target: { kind: 'email', address: `reader${index}@example.com` } }),
    );
    const ids = await make(...channels);
    const failing = new Set([ids[2], ids[5]]);
    rig.sendWith(async (_p, { channelId }) =>
      failing.delete(channelId)
        ? { kind: 'retry', reason: 'ServiceUnavailable', isOurs: true }
        : { kind: 'sent' },
    );
    await fireTo(...ids);
    const messages = [...rig.queue];
    await rig.drain();
    // The whole batch comes again, since the sender never said that it was done.
    rig.queue.push(...messages);
    await rig.pass(minute, 1_000);

    const counts = ids.map((id) => rig.sent.filter(({ channelId }) => channelId === id).length);
    expect(counts).toEqual([1, 1, 2, 1, 1, 2, 1, 1, 1, 1]);
  });
});

describe('B108: a message comes out of the DLQ a month later', () => {
  it('is recognised: nothing is sent again', async () => {
    await make(hook);
    const { rig } = opened;
    await fireTo(hook.channelId);
    const [message] = rig.queue;
    await rig.drain();
    rig.clock.now += 31 * day;
    const late = await rig.attempt(message?.deliveryId ?? '');

    expect(late.outcome).toBe('not_claimed');
    expect(rig.sent).toHaveLength(1);
    expect(rig.sent[0]?.at).toBe(startMs);
    expect((await rig.log())[0]?.ownerId).toBe(ownerId);
  });
});
