// Alerts that are not sent, each with its one reason.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import { chat, day, hour, openDeliveries } from '#test/support/deliveries/setup.ts';
import { aChannel, below80, ownerId, startMs } from '#test/support/delivering.ts';

const { opened, make, values, reasons } = openDeliveries();

describe('an alert that is not sent', () => {
  it.each([
    ['snoozed', startMs + hour],
    ['muted', forever],
  ])('is recorded as %s', async (reason, until) => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.tables.stores.channels.silenceWatch(chat.channelId, watch.watchId, until);
    expect(await reasons(await opened.rig.fire(watch))).toEqual([['unsent', reason]]);
    expect(opened.rig.queue).toEqual([]);
  });

  it('is recorded as snoozed with its whole channel', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.tables.stores.channels.silenceWatch(chat.channelId, everyWatch, startMs + hour);
    expect(await reasons(await opened.rig.fire(watch))).toEqual([['unsent', 'snoozed']]);
  });

  it('is recorded as snoozed with its watch', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    await opened.tables.stores.watches.change(watch, { snoozedUntil: startMs + hour }, startMs);
    expect(await reasons(await opened.rig.fire(watch))).toEqual([['unsent', 'snoozed']]);
  });

  it('is recorded as having no channel', async () => {
    const watch = await opened.rig.watch([below80], [chat.channelId]);
    expect(await reasons(await opened.rig.fire(watch))).toEqual([['unsent', 'no_channel']]);
  });

  it('is recorded as going to nobody who unsubscribed', async () => {
    const watch = await opened.rig.watch(
      [below80],
      await make(aChannel({ status: 'unsubscribed' })),
    );
    expect(await reasons(await opened.rig.fire(watch))).toEqual([
      ['unsent', 'channel_unsubscribed'],
    ]);
  });

  it('is recorded as suppressed if its reader unsubscribed while it was in the queue', async () => {
    await opened.rig.fire(await opened.rig.watch([below80], await make(chat)));
    await opened.tables.stores.channels.changeStatus(chat.channelId, ['active'], {
      status: 'unsubscribed',
    });
    await opened.rig.drain();

    expect(opened.rig.sent).toEqual([]);
    expect(await opened.rig.log()).toMatchObject([
      { status: 'suppressed', lastReason: 'channel_unsubscribed' },
    ]);
  });

  it('is recorded as over the cap', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    const name = `alerts#${chat.channelId}`;
    const startsAt = Math.floor(startMs / day) * day;
    const taken = { pk: `TALLY#${name}`, sk: `AT#${startsAt}`, name, startsAt, count: 10_000 };
    await opened.tables.client.send(
      new PutCommand({ TableName: 'Watchlist', Item: { ...taken, entity: 'tally' } }),
    );
    expect(await reasons(await opened.rig.fire(watch))).toEqual([['unsent', 'cap']]);
  });

  it('keeps the first decision although the work is done again later', async () => {
    const watch = await opened.rig.watch([below80], await make(chat));
    const quietHours = { from: '11:00', to: '13:00' };
    await opened.tables.stores.access.changeOwner(ownerId, { quietHours });
    const alertId = await opened.rig.fire(watch);
    opened.rig.clock.now += 2 * hour;
    await opened.rig.fire(watch);
    await opened.rig.reconcile();

    expect(await reasons(alertId)).toEqual([['hold', 'quiet_hours']]);
    expect(values()).toEqual([[7_400]]);
  });
});
