// A channel that takes no more: asked again when it said, with its queue in one message.
import { describe, expect, it } from 'vitest';
import { createChatPace } from '#shared/delivery/pace.ts';
import { timing } from '#shared/timing.ts';
import { chat, hook, mail, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80, createDeliveryRig, startMs } from '#test/support/delivering.ts';

const { opened, make, reasons, statuses } = openDeliveries();

describe('a throttled channel', () => {
  it('is asked again no earlier than it said, with the queue in one message', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    opened.rig.answers.push({ kind: 'throttled', reason: 'http_429', afterMs: 30_000 });
    for (let generation = 1; generation <= 30; generation += 1) {
      const other = await opened.rig.watch([below80], [chat.channelId]);
      await opened.rig.fire(generation === 1 ? watch : other);
    }
    await opened.rig.drain();
    await opened.rig.pass(25_000, 1_000);
    expect(opened.rig.sent).toHaveLength(1);
    await opened.rig.pass(10_000, 1_000);

    expect(opened.rig.sent.map(({ told }) => told.length)).toEqual([1, 30]);
    expect(opened.rig.sent[1]?.at).toBe(startMs + 30_000);
    expect((await statuses()).filter((status) => status === 'merged')).toHaveLength(30);
    const alertIds = new Set(opened.rig.sent[1]?.told.map(({ alert }) => alert.alertId));
    expect(alertIds.size).toBe(30);
  });

  it('is paced before it has to say so', async () => {
    opened.rig = await createDeliveryRig(opened.tables.stores, {
      takeTurn: createChatPace(opened.tables.stores.tallies),
    });
    await make(chat, hook);
    for (let each = 0; each < 10; each += 1) {
      await opened.rig.fire(await opened.rig.watch([below80], [chat.channelId, hook.channelId]));
    }
    await opened.rig.drain();
    await opened.rig.pass(3_000, 1_000);

    const to = (id: string) => opened.rig.sent.filter(({ channelId }) => channelId === id);
    expect(to(chat.channelId).map(({ told, at }) => [told.length, at - startMs])).toEqual([
      [1, 0],
      [9, 1_000],
    ]);
    expect(to(hook.channelId)).toHaveLength(10);
  });

  it('does not count as failing', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    for (let time = 0; time < 8; time += 1) {
      opened.rig.answers.push({ kind: 'throttled', reason: 'http_429', afterMs: 1_000 });
    }
    await opened.rig.fire(watch);
    await opened.rig.drain();
    await opened.rig.pass(20_000, 1_000);

    expect(
      (await opened.tables.stores.channelHealth.find(hook.channelId))?.failures,
    ).toBeUndefined();
    expect((await statuses()).at(-1)).toBe('sent');
  });

  it('has its next attempt in the queue for the time that it named', async () => {
    const watch = await opened.rig.watch([below80], await make(mail));
    opened.rig.answers.push({ kind: 'throttled', reason: 'http_429', afterMs: 30_000 });
    await opened.rig.fire(watch);
    await opened.rig.drain();

    expect(await opened.tables.stores.channelHealth.find(mail.channelId)).toMatchObject({
      throttledUntil: startMs + 30_000,
    });
    expect(opened.rig.queue.map(({ at, group }) => [at - startMs, group])).toEqual([
      [30_000, watch.ownerId],
    ]);
  });

  it('keeps a delivery that may have arrived as it is', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    opened.rig.answers.push(
      { kind: 'retry', reason: 'http_500' },
      { kind: 'throttled', reason: 'http_429', afterMs: 30_000 },
    );
    await opened.rig.fire(watch);
    await opened.rig.drain();
    await opened.rig.pass(minute, 1_000);

    expect(await statuses()).toEqual(['sent']);
    expect(new Set(opened.rig.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  });

  it('keeps a delivery as it is whose sender died before it recorded what it sent', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.rig.fire(watch);
    const { deliveries, channelHealth } = opened.tables.stores;
    const [{ deliveryId = '' } = {}] = opened.rig.queue;
    await deliveries.claim(deliveryId, startMs, startMs + timing.sendLeaseMs);
    await channelHealth.throttle(chat.channelId, startMs + 30 * minute);
    await opened.rig.pass(40 * minute);

    expect(await statuses()).toEqual(['sent']);
    expect(opened.rig.sent.map((message) => message.deliveryId)).toEqual([deliveryId]);
  });

  it('is told at once from the millisecond in which its time ends', async () => {
    const channelIds = await make(chat);
    await opened.tables.stores.channelHealth.throttle(chat.channelId, startMs + 30_000);
    const fireAt = async (at: number) => {
      opened.rig.clock.now = at;
      return reasons(await opened.rig.fire(await opened.rig.watch([below80], channelIds)));
    };

    expect(await fireAt(startMs + 29_999)).toEqual([['hold', 'channel_throttled']]);
    expect(await fireAt(startMs + 30_000)).toEqual([['send', undefined]]);
  });
});
