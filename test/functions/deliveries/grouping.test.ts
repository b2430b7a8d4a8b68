// Which alerts share a message, and that each is sent once.
import { describe, expect, it } from 'vitest';
import { chat, hook, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80, startMs } from '#test/support/delivering.ts';

const { opened, make, values } = openDeliveries();

describe('grouping', () => {
  it('tells rules of one watch that fire on one snapshot in one message', async () => {
    const watch = await opened.rig.watch(
      [below80, { ...below80, at_or_below: 90 }],
      await make(chat),
    );
    await opened.rig.fire(watch, { rule: 0 });
    await opened.rig.fire(watch, { rule: 1 });
    await opened.rig.pass(5_000, 1_000);

    expect(values()).toEqual([[7_400, 7_400]]);
    expect(opened.rig.sent[0]?.message.kind).toBe('digest');
  });

  it('waits for the other rule where a watch has two', async () => {
    const watch = await opened.rig.watch(
      [below80, { ...below80, at_or_below: 90 }],
      await make(chat),
    );
    await opened.rig.fire(watch, { rule: 0 });
    await opened.rig.drain();
    await opened.rig.fire(watch, { rule: 1 });
    await opened.rig.pass(5_000, 1_000);

    expect(values()).toEqual([[7_400, 7_400]]);
  });

  it('sends an alert by itself that comes after its group has begun', async () => {
    const watch = await opened.rig.watch(
      [below80, { ...below80, at_or_below: 90 }],
      await make(chat),
    );
    await opened.rig.fire(watch, { rule: 0 });
    await opened.rig.pass(5_000, 1_000);
    await opened.rig.fire(watch, { rule: 1, observedAt: startMs - 1_000 });
    await opened.rig.pass(5_000, 1_000);

    expect(values()).toEqual([[7_400], [7_400]]);
  });

  it('sends one alert once to each channel, however often it is raised', async () => {
    const watch = await opened.rig.watch([below80], await make(chat, hook));
    for (let time = 0; time < 3; time += 1) {
      await opened.rig.fire(watch);
      await opened.rig.drain();
    }

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([
      chat.channelId,
      hook.channelId,
    ]);
  });
});

describe('two senders', () => {
  it('of one delivery: one sends, the other sees that it is taken', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    await opened.rig.fire(watch);
    const [message] = opened.rig.queue.splice(0);
    const id = message?.deliveryId ?? '';
    const outcomes = await Promise.all([opened.rig.attempt(id), opened.rig.attempt(id)]);

    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['not_claimed', 'sent']);
    expect(opened.rig.sent).toHaveLength(1);
  });

  it('the second of which comes after the first was killed: it waits for the lease', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    await opened.rig.fire(watch);
    const [message] = opened.rig.queue.splice(0);
    const id = message?.deliveryId ?? '';
    await opened.tables.stores.deliveries.claim(
      id,
      opened.rig.clock.now,
      opened.rig.clock.now + 90_000,
    );
    expect((await opened.rig.attempt(id)).outcome).toBe('not_claimed');
    opened.rig.clock.now += 90_000;
    expect((await opened.rig.attempt(id)).outcome).toBe('sent');
  });
});
