// What was refused for a mistake of ours stays in its queue until SQS hands it to the DLQ; what people's
// receivers refuse ends on record alone.
import { describe, expect, it } from 'vitest';
import { createAttemptInSight } from '#shared/delivery/our-faults.ts';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import { chat, hook, hour, mail, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80 } from '#test/support/delivering.ts';

const { opened, make } = openDeliveries();

const ours: SendOutcome = { kind: 'failed', reason: 'refused_http_400', isOurs: true };

/** The attempt that the send functions make for a message that SQS hands out. */
function receive(deliveryId: string, receiveCount: number) {
  const { deliveries } = opened.tables.stores;
  const { attempt, clock } = opened.rig;
  const inSight = createAttemptInSight({ deliveries, attempt });
  return inSight(deliveryId, () => clock.now, receiveCount);
}

async function fireOne(channelId: string): Promise<string> {
  await opened.rig.fire(await opened.rig.watch([below80], [channelId]));
  return opened.rig.queue.splice(0)[0]?.deliveryId ?? '';
}

describe('a delivery that failed by our fault', () => {
  it('is sent once, recorded, and says so at every receive', async () => {
    await make(chat);
    const id = await fireOne(chat.channelId);
    opened.rig.answers.push(ours);
    const results = [];
    for (const count of [1, 2, 3, 4, 5]) {
      results.push(await receive(id, count));
      opened.rig.clock.now += 6 * minute;
    }

    expect(results.map(({ isOurFault }) => isOurFault)).toEqual([true, true, true, true, true]);
    expect(opened.rig.sent).toHaveLength(1);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'failed', isOurFault: true, lastReason: 'refused_http_400' },
    ]);
    expect(await opened.tables.stores.channels.find(chat.channelId)).toMatchObject({
      status: 'active',
    });
  });

  it('reaches its reader by the fallback meanwhile', async () => {
    await make({ ...chat, fallbackChannelId: mail.channelId }, mail);
    const id = await fireOne(chat.channelId);
    opened.rig.answers.push(ours);
    await receive(id, 1);
    await opened.rig.drain();

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([
      chat.channelId,
      mail.channelId,
    ]);
  });

  it('is sent when an operator redrives its message, once the mistake is mended', async () => {
    await make(chat);
    const id = await fireOne(chat.channelId);
    opened.rig.answers.push(ours);
    await receive(id, 1);
    expect((await receive(id, 1)).isOurFault).toBe(true);
    opened.rig.clock.now += hour;

    expect(await receive(id, 1)).toMatchObject({ outcome: 'sent' });
    expect(opened.rig.sent).toHaveLength(2);
    expect((await opened.rig.log())[0]).toMatchObject({ status: 'sent' });
    expect((await opened.rig.log())[0]?.isOurFault).toBeUndefined();
  });

  it.each([
    [15 * minute - 1, 'not_claimed'],
    [15 * minute, 'sent'],
  ])(
    'is sent again if the first receive comes %i ms after the failure: %s',
    async (ms, outcome) => {
      await make(chat);
      const id = await fireOne(chat.channelId);
      opened.rig.answers.push(ours);
      await receive(id, 1);
      opened.rig.clock.now += ms;

      expect(await receive(id, 1)).toMatchObject({ outcome });
    },
  );

  it('is one too where our own code throws at every try', async () => {
    await make(chat);
    const id = await fireOne(chat.channelId);
    opened.rig.sendWith(async () => {
      throw new TypeError('a mistake');
    });
    await receive(id, 1);
    await opened.rig.pass(120 * hour, 4 * hour);

    expect(await opened.rig.log()).toMatchObject([
      { status: 'failed', isOurFault: true, lastReason: 'attempts_exhausted:TypeError' },
    ]);
    expect(await opened.tables.stores.channelHealth.find(chat.channelId)).toBeUndefined();
  });
});

describe('what people’s receivers refuse (B42)', () => {
  it.each<[string, SendOutcome]>([
    ['404 of a webhook', { kind: 'retry', reason: 'http_404' }],
    ['410 of a webhook', { kind: 'failed', reason: 'http_410', channelIs: 'gone' }],
    ['a host that does not resolve', { kind: 'retry', reason: 'dns_failure' }],
    ['an address that the guard refuses', { kind: 'failed', reason: 'address_not_public' }],
  ])('is never ours: %s', async (_what, outcome) => {
    await make(hook);
    const id = await fireOne(hook.channelId);
    opened.rig.answers.push(outcome);

    expect((await receive(id, 1)).isOurFault).toBeUndefined();
    expect((await receive(id, 2)).isOurFault).toBeUndefined();
  });
});
