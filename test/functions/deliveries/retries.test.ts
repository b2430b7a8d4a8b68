// Attempts that fail: when they are made again, where they go, and when they end.
import { describe, expect, it } from 'vitest';
import { chat, hook, hour, minute, openDeliveries } from '#test/support/deliveries/setup.ts';
import { below80, startMs } from '#test/support/delivering.ts';

const { opened, make } = openDeliveries();

describe('retries', () => {
  const outage = (reason = 'http_500') => ({ kind: 'retry' as const, reason });

  it('follow the schedule, the long waits by the due index, and end in failure', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    opened.rig.sendWith(async () => outage());
    await opened.rig.fire(watch);
    await opened.rig.drain();
    await opened.rig.pass(80 * hour, 30 * minute);

    const waits = opened.rig.sent.map(
      ({ at }, index) => at - (opened.rig.sent[index - 1]?.at ?? startMs),
    );
    // Beyond 15 minutes the due index is what wakes them, so a wait ends with a run of reconcile.
    const late = waits
      .slice(4)
      .map((wait, index) => wait - ([2, 5, 10, 14, 20, 24][index] ?? 0) * hour);
    expect(waits.slice(0, 3)).toEqual([0, 5_000, 5 * minute]);
    expect(late.every((lateMs) => lateMs >= 0 && lateMs <= 30 * minute)).toBe(true);
    expect(opened.rig.sent).toHaveLength(10);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'failed', attempts: 10, lastReason: 'attempts_exhausted:http_500' },
    ]);
    expect(new Set(opened.rig.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  });

  it('go to the new address when the channel changed, and nowhere when it is gone', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    opened.rig.answers.push(outage());
    const seen: string[] = [];
    opened.rig.sendWith(async (_prepared, { target }) => {
      seen.push('url' in target ? target.url : '');
      return seen.length === 1 ? outage() : { kind: 'sent' };
    });
    await opened.rig.fire(watch);
    await opened.rig.drain();
    const target = { ...hook.target, url: 'https://example.com/new' } as typeof hook.target;
    await opened.tables.stores.channels.changeSettings(hook.channelId, { target }, hook);
    await opened.rig.pass(10_000, 1_000);
    expect(seen).toEqual(['https://example.com/hook', 'https://example.com/new']);
  });

  it('are dropped, with a record, when the channel is gone', async () => {
    const watch = await opened.rig.watch([below80], await make(hook));
    opened.rig.answers.push(outage());
    await opened.rig.fire(watch);
    await opened.rig.drain();
    await opened.tables.stores.channels.remove(hook.channelId);
    await opened.rig.pass(minute, 1_000);

    expect(opened.rig.sent).toHaveLength(1);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', lastReason: 'channel_gone' },
    ]);
  });

  it('send an alert that became old with its age, or not at all, as the channel says', async () => {
    await make(hook, { ...chat, staleAlerts: 'drop' });
    const telling = await opened.rig.watch([below80], [hook.channelId]);
    const dropping = await opened.rig.watch([below80], [chat.channelId]);
    await opened.rig.fire(telling);
    await opened.rig.fire(dropping);
    opened.rig.clock.now += 7 * hour;
    await opened.rig.reconcile();

    expect(opened.rig.sent.map(({ channelId }) => channelId)).toEqual([hook.channelId]);
    const log = await opened.rig.log();
    expect(log.find(({ channelId }) => channelId === chat.channelId)).toMatchObject({
      status: 'suppressed',
      lastReason: 'too_old',
    });
  });
});
