// Alerts that are held back: over quiet hours, for a digest, until an address is confirmed.
import { beforeEach, describe, expect, it } from 'vitest';
import { timing } from '#shared/timing.ts';
import { everyWatch } from '#shared/watchlist/channel.ts';
import { chat, hook, hour, mail, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80, ownerId } from '#test/support/delivering.ts';

const { opened, make, values, reasons } = openDeliveries();

describe('quiet hours', () => {
  beforeEach(async () => {
    const quietHours = { from: '22:00', to: '07:00' };
    await opened.tables.stores.access.changeOwner(ownerId, { timeZone: 'UTC', quietHours });
    opened.rig.clock.now = Date.parse('2026-03-01T23:00:00Z');
  });

  it('hold alerts back and send those that are still true as one message at their end', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    const other = await opened.rig.watch([{ ...below80, at_or_below: 60 }], [chat.channelId]);
    const alertId = await opened.rig.fire(watch, { value: 74 });
    opened.rig.clock.now += minute;
    await opened.rig.fire(other, { value: 55 });
    await opened.rig.pass(hour);
    expect(opened.rig.sent).toEqual([]);
    expect(await reasons(alertId)).toEqual([['hold', 'quiet_hours']]);

    await opened.rig.market(58);
    await opened.rig.pass(6 * hour, 30 * minute);
    await opened.rig.pass(70 * minute);
    expect(opened.rig.sent.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-03-02T07:00:00.000Z',
    ]);
    expect(values()).toEqual([[5_500, 7_400]]);
    expect(opened.rig.sent[0]?.message.paragraphs).toEqual([
      'These alerts were held from Mar 1, 11:00 PM UTC during your quiet hours; they were still true when this was sent.',
    ]);
  });

  it('send nothing that is not true any more, and say why', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    const alertId = await opened.rig.fire(watch, { value: 74 });
    await opened.rig.pass(hour);
    await opened.rig.market(120);
    await opened.rig.pass(8 * hour, 30 * minute);

    expect(opened.rig.sent).toEqual([]);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', leftOut: [{ alertId, reason: 'superseded' }] },
    ]);
  });

  it('send the same again if the sender died before it recorded what it sent', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    const [{ deliveryId = '' } = {}] = await opened.rig.log();
    const sevenMs = Date.parse('2026-03-02T07:00:00Z');
    const { deliveries } = opened.tables.stores;
    await deliveries.claim(deliveryId, sevenMs, sevenMs + timing.sendLeaseMs);
    opened.rig.clock.now = sevenMs + timing.sendLeaseMs;
    await opened.rig.market(120);
    await opened.rig.pass(hour);

    expect(values()).toEqual([[7_400]]);
  });

  it('tell of several firings of one rule by the last', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.rig.fire(watch, { value: 74 });
    opened.rig.clock.now += minute;
    await opened.rig.fire(watch, { value: 70, generation: 2 });
    await opened.rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_000]]);
  });

  it('are passed by urgent rules, twenty times a day, and by channels that want everything at once', async () => {
    const [chatId = '', hookId = ''] = await make(chat, hook);
    const urgent = await opened.rig.watch([{ ...below80, urgent: true }], [chatId]);
    const machine = await opened.rig.watch([below80], [hookId]);
    for (let generation = 1; generation <= 22; generation += 1) {
      await opened.rig.fire(urgent, { generation });
    }
    await opened.rig.fire(machine);
    await opened.rig.drain();

    expect(opened.rig.sent.filter(({ channelId }) => channelId === chatId)).toHaveLength(20);
    expect(opened.rig.sent.filter(({ channelId }) => channelId === hookId)).toHaveLength(1);
  });
});

describe('a digest', () => {
  it('gathers the alerts of an hour', async () => {
    const digest = { mode: 'hourly', dailyAt: '08:00' } as const;
    await opened.tables.stores.access.changeOwner(ownerId, { digest });
    const watch = await opened.rig.watch([below80], await make(chat));
    const other = await opened.rig.watch([below80], [chat.channelId]);
    opened.rig.clock.now += 10 * minute;
    await opened.rig.fire(watch);
    opened.rig.clock.now += 10 * minute;
    await opened.rig.fire(other);
    await opened.rig.pass(30 * minute);
    expect(opened.rig.sent).toEqual([]);
    await opened.rig.pass(15 * minute);

    expect(
      opened.rig.sent.map(({ told, at }) => [told.length, new Date(at).toISOString()]),
    ).toEqual([[2, '2026-03-01T13:00:00.000Z']]);
  });
});

describe('a digest of a number that moved several times', () => {
  it('says its lowest, its highest and its last, at every attempt', async () => {
    const digest = { mode: 'hourly', dailyAt: '08:00' } as const;
    await opened.tables.stores.access.changeOwner(ownerId, { digest });
    const watch = await opened.rig.watch([below80], await make(chat));
    for (const [generation, value] of [74, 62, 78].entries()) {
      opened.rig.clock.now += minute;
      await opened.rig.fire(watch, { value, generation: generation + 1 });
    }
    opened.rig.answers.push({ kind: 'retry', reason: 'http_500' });
    await opened.rig.pass(hour + minute, 5_000);

    const texts = opened.rig.sent.map(({ told }) => told.map(({ message }) => message.moves?.text));
    const moved = 'Moved 3 times: lowest $62, highest $78, last $78';
    expect(texts).toEqual([[moved], [moved]]);
  });
});

describe('an alert that is held', () => {
  it('is left out as snoozed, when its channel was snoozed meanwhile', async () => {
    const quietHours = { from: '11:00', to: '13:00' };
    await opened.tables.stores.access.changeOwner(ownerId, { quietHours });
    const alertId = await opened.rig.fire(await opened.rig.watch([below80], await make(chat)));
    const until = opened.rig.clock.now + 5 * hour;
    await opened.tables.stores.channels.silenceWatch(chat.channelId, everyWatch, until);
    await opened.rig.pass(70 * minute);

    expect(opened.rig.sent).toEqual([]);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', leftOut: [{ alertId, reason: 'snoozed' }] },
    ]);
  });

  it('is left out as snoozed, when its watch was snoozed meanwhile', async () => {
    const quietHours = { from: '11:00', to: '13:00' };
    await opened.tables.stores.access.changeOwner(ownerId, { quietHours });
    const watch = await opened.rig.watch([below80], await make(chat));
    const alertId = await opened.rig.fire(watch);
    const { now } = opened.rig.clock;
    await opened.tables.stores.watches.change(watch, { snoozedUntil: now + 5 * hour }, now);
    await opened.rig.pass(70 * minute);

    expect(opened.rig.sent).toEqual([]);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', leftOut: [{ alertId, reason: 'snoozed' }] },
    ]);
  });
});

describe('an unconfirmed address', () => {
  it('gets the alerts that waited for it once it is confirmed', async () => {
    const watch = await opened.rig.watch([below80], await make({ ...mail, status: 'unverified' }));
    await opened.rig.fire(watch);
    await opened.rig.pass(hour);
    expect(opened.rig.sent).toEqual([]);

    const { stores } = opened.tables;
    await stores.channels.changeStatus(mail.channelId, ['unverified'], { status: 'active' });
    const [waiting] = await opened.rig.log();
    expect(await stores.deliveries.makeDue(waiting?.deliveryId ?? '', opened.rig.clock.now)).toBe(
      true,
    );
    await opened.rig.reconcile();
    opened.rig.clock.now += minute;
    await opened.rig.reconcile();

    expect(values()).toEqual([[7_400]]);
  });

  it('gets nothing without that', async () => {
    const watch = await opened.rig.watch([below80], await make({ ...mail, status: 'unverified' }));
    await opened.rig.fire(watch);
    await opened.rig.pass(7 * hour, 30 * minute);

    expect(opened.rig.sent).toEqual([]);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', lastReason: 'channel_unverified' },
    ]);
  });
});
