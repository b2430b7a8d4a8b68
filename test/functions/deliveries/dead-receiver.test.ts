// A receiver that fails: left alone, probed, switched off, its owner told.
import { describe, expect, it } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { noSlot } from '#shared/delivery/sender-slots.ts';
import {
  chat,
  day,
  hook,
  hour,
  mail,
  minute,
  openDeliveries,
} from '#test/support/deliveries/setup.ts';
import { below80, createDeliveryRig, ownerId } from '#test/support/delivering.ts';

const { opened, make, reasons, statuses } = openDeliveries();

describe('a dead receiver', () => {
  it('is left alone after five failures, and costs the others nothing', async () => {
    await make(hook, chat);
    const dead = await opened.rig.watch([below80], [hook.channelId]);
    const alive = await opened.rig.watch([below80], [chat.channelId]);
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'timeout' } : { kind: 'sent' },
    );
    for (let generation = 1; generation <= 20; generation += 1) {
      await opened.rig.fire(dead, { generation });
      await opened.rig.fire(alive, { generation });
    }
    await opened.rig.drain();

    const to = (id: string) => opened.rig.sent.filter(({ channelId }) => channelId === id);
    expect(to(hook.channelId)).toHaveLength(5);
    expect(to(chat.channelId)).toHaveLength(20);
    const put = (await opened.rig.log()).filter(({ lastReason }) => lastReason === 'breaker_open');
    expect(put).toHaveLength(15);
    expect(new Set(put.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  });

  it('is probed by one, and gets everything once it is back', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    let isUp = false;
    opened.rig.sendWith(async () =>
      isUp ? { kind: 'sent' } : { kind: 'retry', reason: 'timeout' },
    );
    for (let generation = 1; generation <= 10; generation += 1)
      await opened.rig.fire(watch, { generation });
    await opened.rig.drain();
    isUp = true;
    const before = opened.rig.sent.length;
    await opened.rig.pass(10 * minute, 5_000);

    expect(opened.rig.sent.length - before).toBe(10);
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
    expect(await opened.tables.stores.channelHealth.find(hook.channelId)).toBeUndefined();
  });

  it('is probed by one of two senders that both found it due for a probe', async () => {
    let bothAreThere: (() => void) | undefined;
    let isMeeting = false;
    // A sender takes its slot after it was told to probe, and before it takes the probe.
    const takeSlot = async () => {
      if (isMeeting) await meet();
      return noSlot;
    };
    function meet(): Promise<void> {
      bothAreThere?.();
      return bothAreThere ? Promise.resolve() : new Promise((resolve) => (bothAreThere = resolve));
    }
    const rig = await createDeliveryRig(opened.tables.stores, { takeSlot });
    const watch = await rig.watch([below80], await make(hook));
    rig.sendWith(async () => (isMeeting ? { kind: 'sent' } : { kind: 'retry', reason: 'timeout' }));
    for (let generation = 1; generation <= 10; generation += 1)
      await rig.fire(watch, { generation });
    await rig.drain();
    const waiting = (await rig.log()).filter(({ lastReason }) => lastReason === 'breaker_open');
    const [one = '', other = ''] = waiting.map(({ deliveryId }) => deliveryId);
    rig.clock.now += hour;
    isMeeting = true;
    const results = await Promise.all([rig.attempt(one), rig.attempt(other)]);

    expect(results.map(({ outcome, reason }) => [outcome, reason]).sort()).toEqual([
      ['put_off', 'breaker_open'],
      ['sent', undefined],
    ]);
  });

  it('is switched off after five days, its owner told at 50, 70, 90 and 100 percent, what it misses kept', async () => {
    await make(hook, mail);
    const watch = await opened.rig.watch([below80], [hook.channelId]);
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'http_503' } : { kind: 'sent' },
    );
    for (let generation = 1; generation <= 32; generation += 1) {
      await opened.rig.fire(watch, { generation });
      await opened.rig.pass(4 * hour, 2 * hour);
    }

    const notices = opened.rig.sent.filter(({ channelId }) => channelId === mail.channelId);
    expect(
      notices.map(({ message }) => message.headline.replace(/ for \d+ days?( \d+ hours?)?/, '')),
    ).toEqual([
      'Your webhook channel (example.com) has failed: 50% of the way to being switched off',
      'Your webhook channel (example.com) has failed: 70% of the way to being switched off',
      'Your webhook channel (example.com) has failed: 90% of the way to being switched off',
      'Switched off: your webhook channel (example.com)',
    ]);
    const channel = await opened.tables.stores.channels.find(hook.channelId);
    expect(channel).toMatchObject({ status: 'disabled', disabledReason: 'http_503' });
    const alertId = await opened.rig.fire(watch, { generation: 99 });
    expect(await reasons(alertId)).toEqual([['unsent', 'channel_disabled']]);
    expect((await statuses()).at(-1)).toBe('skipped');
  }, 120_000);

  it('that is gone for good is switched off at once', async () => {
    await make(hook, mail);
    const watch = await opened.rig.watch([below80], [hook.channelId]);
    opened.rig.answers.push({ kind: 'failed', reason: 'http_410', channelIs: 'gone' });
    await opened.rig.fire(watch);
    await opened.rig.drain();

    expect(await opened.tables.stores.channels.find(hook.channelId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'http_410',
    });
    expect(opened.rig.sent.map(({ message }) => message.kind)).toEqual(['alert', 'notice']);
    expect(opened.rig.sent[1]?.message.paragraphs.slice(2)).toEqual([
      '1 watch can’t alert you now. No other channel of these works: event 4711 (wat_00000000000000000000000000000001).',
      'They are still polled. Give them another channel, or pause them.',
    ]);
  });

  it('that is perhaps gone is switched off when it says so an hour later', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    opened.rig.sendWith(async () => ({
      kind: 'failed',
      reason: 'http_404',
      channelIs: 'perhaps_gone',
    }));
    await opened.rig.fire(watch);
    await opened.rig.pass(30 * minute);
    expect(await opened.tables.stores.channels.find(hook.channelId)).toMatchObject({
      status: 'active',
    });
    await opened.rig.pass(3 * hour, 5 * minute);
    expect(await opened.tables.stores.channels.find(hook.channelId)).toMatchObject({
      status: 'disabled',
    });
  });
});

describe('a channel that was switched off', () => {
  it('is switched on by a test that arrives, and then gets what it missed, however old', async () => {
    await make({ ...hook, status: 'disabled', staleAlerts: 'drop' });
    const { rig, tables } = opened;
    const watch = await rig.watch([below80], [hook.channelId]);
    const alertId = await rig.fire(watch);
    rig.clock.now += 2 * day;
    const { channelId } = hook;
    const about = { ownerId, channelId, channelKind: 'webhook', purpose: 'test' } as const;
    const test = newDelivery({ deliveryId: 'dlv_test', ...about }, { now: rig.clock.now });
    await tables.stores.deliveries.create(test);
    expect((await rig.attempt('dlv_test')).outcome).toBe('sent');
    expect(await tables.stores.channels.find(channelId)).toMatchObject({ status: 'active' });

    const missed = (await rig.log()).find(({ status }) => status === 'skipped');
    const id = missed?.deliveryId ?? '';
    expect(await tables.stores.deliveries.replay(id, rig.clock.now)).toBe(true);
    expect((await rig.attempt(id)).outcome).toBe('sent');
    expect(rig.sent.at(-1)?.told.map(({ alert }) => alert.alertId)).toEqual([alertId]);
    expect(rig.sent.at(-1)?.message.headline).toMatch(/ · seen Mar 1, \d+:\d+ [AP]M UTC$/);
  });

  it('stays off when the test does not arrive', async () => {
    await make({ ...hook, status: 'disabled' });
    const { rig, tables } = opened;
    const { channelId } = hook;
    const about = { ownerId, channelId, channelKind: 'webhook', purpose: 'test' } as const;
    const test = newDelivery({ deliveryId: 'dlv_test', ...about }, { now: rig.clock.now });
    await tables.stores.deliveries.create(test);
    rig.answers.push({ kind: 'retry', reason: 'http_500' });

    expect((await rig.attempt('dlv_test')).outcome).toBe('failed');
    expect(await tables.stores.channels.find(channelId)).toMatchObject({ status: 'disabled' });
  });
});
