// The fallback channel: of a channel or of a watch, for what is refused, missed or urgent.
import { describe, expect, it } from 'vitest';
import { chat, hook, hour, mail, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { aChannel, below80, ownerId, startMs } from '#test/support/delivering.ts';

const { opened, make, statuses } = openDeliveries();

describe('a fallback channel', () => {
  const withFallback = { ...hook, fallbackChannelId: mail.channelId };

  it('gets what the channel refused', async () => {
    await make(withFallback, mail);
    const watch = await opened.rig.watch([below80], [hook.channelId]);
    opened.rig.answers.push({ kind: 'failed', reason: 'address_not_public' });
    await opened.rig.fire(watch);
    await opened.rig.drain();

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([
      hook.channelId,
      mail.channelId,
    ]);
    expect((await opened.rig.log()).map(({ fallbackFor }) => fallbackFor !== undefined)).toContain(
      true,
    );
  });

  it('gets urgent alerts after fifteen minutes, others not', async () => {
    await make(withFallback, mail);
    const urgent = await opened.rig.watch([{ ...below80, urgent: true }], [hook.channelId]);
    const usual = await opened.rig.watch([below80], [hook.channelId]);
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'timeout' } : { kind: 'sent' },
    );
    const urgentId = await opened.rig.fire(urgent);
    await opened.rig.fire(usual);
    await opened.rig.pass(16 * minute, 5_000);

    const mails = opened.rig.sent.filter(({ channelId }) => channelId === mail.channelId);
    expect(mails.map(({ told }) => told.map(({ alert }) => alert.alertId))).toEqual([[urgentId]]);
  });

  it('gets what a switched-off channel misses', async () => {
    await make({ ...withFallback, status: 'disabled' }, mail);
    const watch = await opened.rig.watch([below80], [hook.channelId]);
    await opened.rig.fire(watch);
    await opened.rig.drain();

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([mail.channelId]);
    expect(await statuses()).toEqual(expect.arrayContaining(['skipped', 'sent']));
  });
});

describe('a watch’s own fallback', () => {
  const second = aChannel({ channelId: 'ch_00000000000000000000000000000009' });
  const refuse = () =>
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'failed', reason: 'http_400' } : { kind: 'sent' },
    );
  const watchWith = async (fallbackChannelId: string, channelIds = [hook.channelId]) => {
    const watch = await opened.rig.watch([below80], channelIds);
    await opened.tables.stores.watches.change(watch, { fallbackChannelId }, startMs);
    return watch;
  };
  const wentTo = () => opened.rig.sent.map(({ channelId }) => channelId);

  it('wins over the channel’s', async () => {
    await make({ ...hook, fallbackChannelId: second.channelId }, mail, second);
    refuse();
    await opened.rig.fire(await watchWith(mail.channelId));
    await opened.rig.drain();

    expect(wentTo()).toEqual([hook.channelId, mail.channelId]);
  });

  it.each([
    ['is gone', undefined],
    ['is switched off', { ...mail, status: 'disabled' as const }],
    ['is somebody else’s', { ...mail, ownerId: 'own_00000000000000000000000000000bad' }],
  ])('that %s leaves the channel’s', async (_what, own) => {
    await make({ ...hook, fallbackChannelId: second.channelId }, second, ...(own ? [own] : []));
    refuse();
    await opened.rig.fire(await watchWith(mail.channelId));
    await opened.rig.drain();

    expect(wentTo()).toEqual([hook.channelId, second.channelId]);
  });

  it('is never the channel itself, nor one that is told anyhow', async () => {
    await make(hook, second);
    refuse();
    await opened.rig.fire(await watchWith(hook.channelId));
    await opened.rig.fire(await watchWith(second.channelId, [hook.channelId, second.channelId]));
    await opened.rig.drain();

    expect(wentTo()).toEqual([hook.channelId, hook.channelId, second.channelId]);
  });

  it('does not fall back in its turn: two that name each other end', async () => {
    await make(
      { ...hook, fallbackChannelId: second.channelId },
      { ...second, fallbackChannelId: hook.channelId },
    );
    opened.rig.sendWith(async () => ({ kind: 'failed', reason: 'http_400' }));
    await opened.rig.fire(await watchWith(second.channelId));
    await opened.rig.drain();

    expect(wentTo()).toEqual([hook.channelId, second.channelId]);
  });

  it('gets its own alerts of a message that held several watches’', async () => {
    await make(chat, mail, second);
    await opened.tables.stores.access.changeOwner(ownerId, {
      digest: { mode: 'hourly', dailyAt: '08:00' },
    });
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === chat.channelId ? { kind: 'failed', reason: 'http_400' } : { kind: 'sent' },
    );
    const first = await opened.rig.fire(await watchWith(mail.channelId, [chat.channelId]));
    const other = await opened.rig.fire(await watchWith(second.channelId, [chat.channelId]));
    await opened.rig.pass(hour + minute);

    const told = opened.rig.sent.map((message) => [
      message.channelId,
      message.told.map(({ alert }) => alert.alertId),
    ]);
    expect(told[0]?.[1]).toHaveLength(2);
    expect(told.slice(1).sort()).toEqual([
      [mail.channelId, [first]],
      [second.channelId, [other]],
    ]);
  });

  it('gets urgent alerts after fifteen minutes of retries', async () => {
    await make(hook, mail);
    const watch = await opened.rig.watch([{ ...below80, urgent: true }], [hook.channelId]);
    await opened.tables.stores.watches.change(
      watch,
      { fallbackChannelId: mail.channelId },
      startMs,
    );
    opened.rig.sendWith(async (_p, { channelId }) =>
      channelId === hook.channelId ? { kind: 'retry', reason: 'timeout' } : { kind: 'sent' },
    );
    await opened.rig.fire(watch);
    await opened.rig.pass(14 * minute, 30_000);
    expect(wentTo()).not.toContain(mail.channelId);
    await opened.rig.pass(2 * minute, 30_000);
    expect(wentTo().filter((id) => id === mail.channelId)).toHaveLength(1);
  });

  it('is named by the delivery that it stands in for', async () => {
    await make(hook, mail);
    refuse();
    await opened.rig.fire(await watchWith(mail.channelId));
    await opened.rig.drain();

    const log = await opened.rig.log();
    const first = log.find(({ channelId }) => channelId === hook.channelId);
    const instead = log.find(({ channelId }) => channelId === mail.channelId);
    expect([...(first?.fellBackTo ?? [])]).toEqual([instead?.deliveryId]);
    expect(instead?.fallbackFor).toBe(first?.deliveryId);
  });
});
