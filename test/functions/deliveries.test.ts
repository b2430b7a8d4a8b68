// From a fired alert to a sent message: the gate, grouping, holding back, retries, the breaker, fallback
// and switching off, over real tables with a fake clock.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createChatPace } from '#shared/alerts/pace.ts';
import { forever } from '#shared/watchlist/channel.ts';
import {
  aChannel,
  below80,
  createDeliveryRig,
  type DeliveryRig,
  ownerId,
  startMs,
} from '#test/support/delivering.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const chat = aChannel();
const mail = aChannel({
  channelId: 'ch_00000000000000000000000000000002',
  target: { kind: 'email', address: 'ann@example.com' },
});
const hook = aChannel({
  channelId: 'ch_00000000000000000000000000000003',
  isImmediate: true,
  target: {
    kind: 'webhook',
    url: 'https://example.com/hook',
    secrets: [{ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', expiresAt: null }],
  },
});

let tables: TestTables;
let rig: DeliveryRig;

beforeEach(async () => {
  tables = await startTestTables();
  rig = await createDeliveryRig(tables.stores);
  const createdAt = new Date(startMs).toISOString();
  await tables.stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
  return () => tables.stop();
});

const make = async (...channels: ReturnType<typeof aChannel>[]) => {
  for (const channel of channels) await tables.stores.channels.create(channel);
  return channels.map(({ channelId }) => channelId);
};
const values = () => rig.sent.map(({ told }) => told.map(({ alert }) => alert.base));
const reasons = async (alertId: string) =>
  (await rig.decisions(alertId)).map(({ kind, reason }) => [kind, reason]);
const statuses = async () => (await rig.log()).map(({ status }) => status);

describe('grouping', () => {
  it('tells rules of one watch that fire on one snapshot in one message', async () => {
    const watch = await rig.watch([below80, { ...below80, at_or_below: 90 }], await make(chat));
    await rig.fire(watch, { rule: 0 });
    await rig.fire(watch, { rule: 1 });
    await rig.pass(5_000, 1_000);

    expect(values()).toEqual([[7_400, 7_400]]);
    expect(rig.sent[0]?.message.kind).toBe('digest');
  });

  it('sends an alert by itself that comes after its group has begun', async () => {
    const watch = await rig.watch([below80, { ...below80, at_or_below: 90 }], await make(chat));
    await rig.fire(watch, { rule: 0 });
    await rig.pass(5_000, 1_000);
    await rig.fire(watch, { rule: 1, observedAt: startMs - 1_000 });
    await rig.pass(5_000, 1_000);

    expect(values()).toEqual([[7_400], [7_400]]);
  });

  it('sends one alert once to each channel, however often it is raised', async () => {
    const watch = await rig.watch([below80], await make(chat, hook));
    for (let time = 0; time < 3; time += 1) {
      await rig.fire(watch);
      await rig.drain();
    }

    expect(rig.sent.map(({ channelId }) => channelId)).toEqual([chat.channelId, hook.channelId]);
  });
});

describe('quiet hours', () => {
  beforeEach(async () => {
    const quietHours = { from: '22:00', to: '07:00' };
    await tables.stores.access.changeOwner(ownerId, { timeZone: 'UTC', quietHours });
    rig.clock.now = Date.parse('2026-03-01T23:00:00Z');
  });

  it('hold alerts back and send those that are still true as one message at their end', async () => {
    const watch = await rig.watch([below80], await make(chat));
    const other = await rig.watch([{ ...below80, at_or_below: 60 }], [chat.channelId]);
    const alertId = await rig.fire(watch, { value: 74 });
    rig.clock.now += minute;
    await rig.fire(other, { value: 55 });
    await rig.pass(hour);
    expect(rig.sent).toEqual([]);
    expect(await reasons(alertId)).toEqual([['hold', 'quiet_hours']]);

    await rig.market(58);
    await rig.pass(6 * hour, 30 * minute);
    await rig.pass(70 * minute);
    expect(rig.sent.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-03-02T07:00:00.000Z',
    ]);
    expect(values()).toEqual([[5_500, 7_400]]);
    expect(rig.sent[0]?.message.paragraphs).toEqual([
      'These alerts were held for 8 hours during your quiet hours; they were still true when this was sent.',
    ]);
  });

  it('send nothing that is not true any more, and say why', async () => {
    const watch = await rig.watch([below80], await make(chat));
    const alertId = await rig.fire(watch, { value: 74 });
    await rig.pass(hour);
    await rig.market(120);
    await rig.pass(8 * hour, 30 * minute);

    expect(rig.sent).toEqual([]);
    expect(await rig.log()).toMatchObject([
      { status: 'suppressed', leftOut: [{ alertId, reason: 'superseded' }] },
    ]);
  });

  it('tell of several firings of one rule by the last', async () => {
    const watch = await rig.watch([below80], await make(chat));
    await rig.fire(watch, { value: 74 });
    rig.clock.now += minute;
    await rig.fire(watch, { value: 70, generation: 2 });
    await rig.pass(9 * hour, 30 * minute);

    expect(values()).toEqual([[7_000]]);
  });

  it('are passed by urgent rules, twenty times a day, and by channels that want everything at once', async () => {
    const [chatId = '', hookId = ''] = await make(chat, hook);
    const urgent = await rig.watch([{ ...below80, urgent: true }], [chatId]);
    const machine = await rig.watch([below80], [hookId]);
    for (let generation = 1; generation <= 22; generation += 1) {
      await rig.fire(urgent, { generation });
    }
    await rig.fire(machine);
    await rig.drain();

    expect(rig.sent.filter(({ channelId }) => channelId === chatId)).toHaveLength(20);
    expect(rig.sent.filter(({ channelId }) => channelId === hookId)).toHaveLength(1);
  });
});

describe('a digest', () => {
  it('gathers the alerts of an hour', async () => {
    const digest = { mode: 'hourly', dailyAt: '08:00' } as const;
    await tables.stores.access.changeOwner(ownerId, { digest });
    const watch = await rig.watch([below80], await make(chat));
    const other = await rig.watch([below80], [chat.channelId]);
    rig.clock.now += 10 * minute;
    await rig.fire(watch);
    rig.clock.now += 10 * minute;
    await rig.fire(other);
    await rig.pass(30 * minute);
    expect(rig.sent).toEqual([]);
    await rig.pass(15 * minute);

    expect(rig.sent.map(({ told, at }) => [told.length, new Date(at).toISOString()])).toEqual([
      [2, '2026-03-01T13:00:00.000Z'],
    ]);
  });
});

describe('an alert that is not sent', () => {
  it.each([
    ['snoozed', startMs + hour],
    ['muted', forever],
  ])('is recorded as %s', async (reason, until) => {
    const watch = await rig.watch([below80], await make(chat));
    await tables.stores.channels.silenceWatch(chat.channelId, watch.watchId, until);
    expect(await reasons(await rig.fire(watch))).toEqual([['unsent', reason]]);
    expect(rig.queue).toEqual([]);
  });

  it('is recorded as having no channel', async () => {
    const watch = await rig.watch([below80], [chat.channelId]);
    expect(await reasons(await rig.fire(watch))).toEqual([['unsent', 'no_channel']]);
  });

  it('is recorded as going to nobody who unsubscribed', async () => {
    const watch = await rig.watch([below80], await make(aChannel({ status: 'unsubscribed' })));
    expect(await reasons(await rig.fire(watch))).toEqual([['unsent', 'channel_unsubscribed']]);
  });

  it('is recorded as over the cap', async () => {
    const watch = await rig.watch([below80], await make(chat));
    const name = `alerts#${chat.channelId}`;
    const startsAt = Math.floor(startMs / day) * day;
    const taken = { pk: `TALLY#${name}`, sk: `AT#${startsAt}`, name, startsAt, count: 10_000 };
    await tables.client.send(
      new PutCommand({ TableName: 'Watchlist', Item: { ...taken, entity: 'tally' } }),
    );
    expect(await reasons(await rig.fire(watch))).toEqual([['unsent', 'cap']]);
  });

  it('keeps the first decision although the work is done again later', async () => {
    const watch = await rig.watch([below80], await make(chat));
    const quietHours = { from: '11:00', to: '13:00' };
    await tables.stores.access.changeOwner(ownerId, { quietHours });
    const alertId = await rig.fire(watch);
    rig.clock.now += 2 * hour;
    await rig.fire(watch);
    await rig.reconcile();

    expect(await reasons(alertId)).toEqual([['hold', 'quiet_hours']]);
    expect(values()).toEqual([[7_400]]);
  });
});

describe('an unconfirmed address', () => {
  it('gets the alerts that waited for it once it is confirmed', async () => {
    const watch = await rig.watch([below80], await make({ ...mail, status: 'unverified' }));
    await rig.fire(watch);
    await rig.pass(hour);
    expect(rig.sent).toEqual([]);

    const { stores } = tables;
    await stores.channels.changeStatus(mail.channelId, ['unverified'], { status: 'active' });
    const [waiting] = await rig.log();
    expect(await stores.deliveries.makeDue(waiting?.deliveryId ?? '', rig.clock.now)).toBe(true);
    await rig.reconcile();
    rig.clock.now += minute;
    await rig.reconcile();

    expect(values()).toEqual([[7_400]]);
  });

  it('gets nothing without that', async () => {
    const watch = await rig.watch([below80], await make({ ...mail, status: 'unverified' }));
    await rig.fire(watch);
    await rig.pass(7 * hour, 30 * minute);

    expect(rig.sent).toEqual([]);
    expect(await rig.log()).toMatchObject([
      { status: 'suppressed', lastReason: 'channel_unverified' },
    ]);
  });
});

describe('retries', () => {
  const outage = (reason = 'http_500') => ({ kind: 'retry' as const, reason });

  it('follow the schedule, the long waits by the due index, and end in failure', async () => {
    const watch = await rig.watch([below80], await make(hook));
    rig.sendWith(async () => outage());
    await rig.fire(watch);
    await rig.drain();
    await rig.pass(80 * hour, 30 * minute);

    const waits = rig.sent.map(({ at }, index) => at - (rig.sent[index - 1]?.at ?? startMs));
    // Beyond 15 minutes the due index is what wakes them, so a wait ends with a run of reconcile.
    const late = waits
      .slice(4)
      .map((wait, index) => wait - ([2, 5, 10, 14, 20, 24][index] ?? 0) * hour);
    expect(waits.slice(0, 3)).toEqual([0, 5_000, 5 * minute]);
    expect(late.every((lateMs) => lateMs >= 0 && lateMs <= 30 * minute)).toBe(true);
    expect(rig.sent).toHaveLength(10);
    expect(await rig.log()).toMatchObject([
      { status: 'failed', attempts: 10, lastReason: 'attempts_exhausted:http_500' },
    ]);
    expect(new Set(rig.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  });

  it('go to the new address when the channel changed, and nowhere when it is gone', async () => {
    const watch = await rig.watch([below80], await make(hook));
    rig.answers.push(outage());
    const seen: string[] = [];
    rig.sendWith(async (_prepared, { target }) => {
      seen.push(target.kind === 'email' ? '' : target.url);
      return seen.length === 1 ? outage() : { kind: 'sent' };
    });
    await rig.fire(watch);
    await rig.drain();
    const target = { ...hook.target, url: 'https://example.com/new' } as typeof hook.target;
    await tables.stores.channels.changeSettings(hook.channelId, { target });
    await rig.pass(10_000, 1_000);
    expect(seen).toEqual(['https://example.com/hook', 'https://example.com/new']);
  });

  it('are dropped, with a record, when the channel is gone', async () => {
    const watch = await rig.watch([below80], await make(hook));
    rig.answers.push(outage());
    await rig.fire(watch);
    await rig.drain();
    await tables.stores.channels.remove(hook.channelId);
    await rig.pass(minute, 1_000);

    expect(rig.sent).toHaveLength(1);
    expect(await rig.log()).toMatchObject([{ status: 'suppressed', lastReason: 'channel_gone' }]);
  });

  it('send an alert that became old with its age, or not at all, as the channel says', async () => {
    await make(hook, { ...chat, staleAlerts: 'drop' });
    const telling = await rig.watch([below80], [hook.channelId]);
    const dropping = await rig.watch([below80], [chat.channelId]);
    await rig.fire(telling);
    await rig.fire(dropping);
    rig.clock.now += 7 * hour;
    await rig.reconcile();

    expect(rig.sent.map(({ channelId }) => channelId)).toEqual([hook.channelId]);
    const log = await rig.log();
    expect(log.find(({ channelId }) => channelId === chat.channelId)).toMatchObject({
      status: 'suppressed',
      lastReason: 'too_old',
    });
  });
});

describe('a dead receiver', () => {
  it('is left alone after five failures, and costs the others nothing', async () => {
    await make(hook, chat);
    const dead = await rig.watch([below80], [hook.channelId]);
    const alive = await rig.watch([below80], [chat.channelId]);
    rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'timeout' } : { kind: 'sent' },
    );
    for (let generation = 1; generation <= 20; generation += 1) {
      await rig.fire(dead, { generation });
      await rig.fire(alive, { generation });
    }
    await rig.drain();

    const to = (id: string) => rig.sent.filter(({ channelId }) => channelId === id);
    expect(to(hook.channelId)).toHaveLength(5);
    expect(to(chat.channelId)).toHaveLength(20);
    const put = (await rig.log()).filter(({ lastReason }) => lastReason === 'breaker_open');
    expect(put).toHaveLength(15);
    expect(new Set(put.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  });

  it('is probed by one, and gets everything once it is back', async () => {
    const watch = await rig.watch([below80], await make(hook));
    let isUp = false;
    rig.sendWith(async () => (isUp ? { kind: 'sent' } : { kind: 'retry', reason: 'timeout' }));
    for (let generation = 1; generation <= 10; generation += 1)
      await rig.fire(watch, { generation });
    await rig.drain();
    isUp = true;
    const before = rig.sent.length;
    await rig.pass(10 * minute, 5_000);

    expect(rig.sent.length - before).toBe(10);
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
    expect(await tables.stores.channelHealth.find(hook.channelId)).toBeUndefined();
  });

  it('is switched off after five days, its owner told at 50, 70, 90 and 100 percent, what it misses kept', async () => {
    await make(hook, mail);
    const watch = await rig.watch([below80], [hook.channelId]);
    rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'http_503' } : { kind: 'sent' },
    );
    for (let generation = 1; generation <= 32; generation += 1) {
      await rig.fire(watch, { generation });
      await rig.pass(4 * hour, 30 * minute);
    }

    const notices = rig.sent.filter(({ channelId }) => channelId === mail.channelId);
    expect(notices.map(({ message }) => message.headline.replace(/ for \d days?/, ''))).toEqual([
      'Your webhook channel (example.com) has failed: 50% of the way to being switched off',
      'Your webhook channel (example.com) has failed: 70% of the way to being switched off',
      'Your webhook channel (example.com) has failed: 90% of the way to being switched off',
      'Switched off: your webhook channel (example.com)',
    ]);
    const channel = await tables.stores.channels.find(hook.channelId);
    expect(channel).toMatchObject({ status: 'disabled', disabledReason: 'http_503' });
    const alertId = await rig.fire(watch, { generation: 99 });
    expect(await reasons(alertId)).toEqual([['unsent', 'channel_disabled']]);
    expect((await statuses()).at(-1)).toBe('skipped');
  }, 60_000);

  it('that is gone for good is switched off at once', async () => {
    await make(hook, mail);
    const watch = await rig.watch([below80], [hook.channelId]);
    rig.answers.push({ kind: 'failed', reason: 'http_410', channelIs: 'gone' });
    await rig.fire(watch);
    await rig.drain();

    expect(await tables.stores.channels.find(hook.channelId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'http_410',
    });
    expect(rig.sent.map(({ message }) => message.kind)).toEqual(['alert', 'notice']);
  });

  it('that is perhaps gone is switched off when it says so an hour later', async () => {
    const watch = await rig.watch([below80], await make(hook));
    rig.sendWith(async () => ({ kind: 'failed', reason: 'http_404', channelIs: 'perhaps_gone' }));
    await rig.fire(watch);
    await rig.pass(30 * minute);
    expect(await tables.stores.channels.find(hook.channelId)).toMatchObject({ status: 'active' });
    await rig.pass(3 * hour, 5 * minute);
    expect(await tables.stores.channels.find(hook.channelId)).toMatchObject({ status: 'disabled' });
  });
});

describe('a fallback channel', () => {
  const withFallback = { ...hook, fallbackChannelId: mail.channelId };

  it('gets what the channel refused', async () => {
    await make(withFallback, mail);
    const watch = await rig.watch([below80], [hook.channelId]);
    rig.answers.push({ kind: 'failed', reason: 'address_not_public' });
    await rig.fire(watch);
    await rig.drain();

    expect(rig.sent.map(({ channelId }) => channelId)).toEqual([hook.channelId, mail.channelId]);
    expect((await rig.log()).map(({ fallbackFor }) => fallbackFor !== undefined)).toContain(true);
  });

  it('gets urgent alerts after fifteen minutes, others not', async () => {
    await make(withFallback, mail);
    const urgent = await rig.watch([{ ...below80, urgent: true }], [hook.channelId]);
    const usual = await rig.watch([below80], [hook.channelId]);
    rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'timeout' } : { kind: 'sent' },
    );
    const urgentId = await rig.fire(urgent);
    await rig.fire(usual);
    await rig.pass(16 * minute, 5_000);

    const mails = rig.sent.filter(({ channelId }) => channelId === mail.channelId);
    expect(mails.map(({ told }) => told.map(({ alert }) => alert.alertId))).toEqual([[urgentId]]);
  });

  it('gets what a switched-off channel misses', async () => {
    await make({ ...withFallback, status: 'disabled' }, mail);
    const watch = await rig.watch([below80], [hook.channelId]);
    await rig.fire(watch);
    await rig.drain();

    expect(rig.sent.map(({ channelId }) => channelId)).toEqual([mail.channelId]);
    expect(await statuses()).toEqual(expect.arrayContaining(['skipped', 'sent']));
  });
});

describe('a throttled channel', () => {
  it('is asked again no earlier than it said, with the queue in one message', async () => {
    const watch = await rig.watch([below80], await make(chat));
    rig.answers.push({ kind: 'throttled', reason: 'http_429', afterMs: 30_000 });
    for (let generation = 1; generation <= 30; generation += 1) {
      const other = await rig.watch([below80], [chat.channelId]);
      await rig.fire(generation === 1 ? watch : other);
    }
    await rig.drain();
    await rig.pass(25_000, 1_000);
    expect(rig.sent).toHaveLength(1);
    await rig.pass(10_000, 1_000);

    expect(rig.sent.map(({ told }) => told.length)).toEqual([1, 30]);
    expect(rig.sent[1]?.at).toBe(startMs + 30_000);
    expect((await statuses()).filter((status) => status === 'merged')).toHaveLength(30);
    const alertIds = new Set(rig.sent[1]?.told.map(({ alert }) => alert.alertId));
    expect(alertIds.size).toBe(30);
  });

  it('is paced before it has to say so', async () => {
    rig = await createDeliveryRig(tables.stores, {
      takeTurn: createChatPace(tables.stores.tallies),
    });
    await make(chat, hook);
    for (let each = 0; each < 10; each += 1) {
      await rig.fire(await rig.watch([below80], [chat.channelId, hook.channelId]));
    }
    await rig.drain();
    await rig.pass(3_000, 1_000);

    const to = (id: string) => rig.sent.filter(({ channelId }) => channelId === id);
    expect(to(chat.channelId).map(({ told, at }) => [told.length, at - startMs])).toEqual([
      [1, 0],
      [9, 1_000],
    ]);
    expect(to(hook.channelId)).toHaveLength(10);
  });

  it('does not count as failing', async () => {
    const watch = await rig.watch([below80], await make(hook));
    for (let time = 0; time < 8; time += 1) {
      rig.answers.push({ kind: 'throttled', reason: 'http_429', afterMs: 1_000 });
    }
    await rig.fire(watch);
    await rig.drain();
    await rig.pass(20_000, 1_000);

    expect((await tables.stores.channelHealth.find(hook.channelId))?.failures).toBeUndefined();
    expect((await statuses()).at(-1)).toBe('sent');
  });
});

describe('two senders', () => {
  it('of one delivery: one sends, the other sees that it is taken', async () => {
    const watch = await rig.watch([below80], await make(hook));
    await rig.fire(watch);
    const [message] = rig.queue.splice(0);
    const id = message?.deliveryId ?? '';
    const outcomes = await Promise.all([rig.attempt(id), rig.attempt(id)]);

    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['not_claimed', 'sent']);
    expect(rig.sent).toHaveLength(1);
  });

  it('the second of which comes after the first was killed: it waits for the lease', async () => {
    const watch = await rig.watch([below80], await make(hook));
    await rig.fire(watch);
    const [message] = rig.queue.splice(0);
    const id = message?.deliveryId ?? '';
    await tables.stores.deliveries.claim(id, rig.clock.now, rig.clock.now + 90_000);
    expect((await rig.attempt(id)).outcome).toBe('not_claimed');
    rig.clock.now += 90_000;
    expect((await rig.attempt(id)).outcome).toBe('sent');
  });
});
