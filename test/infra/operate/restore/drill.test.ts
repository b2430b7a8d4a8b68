// After a restore no alert is lost, and each that may have been sent before says so.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { readOutcome } from '#functions/api/alert-outcome.ts';
import { createCheckAccount } from '#functions/reconcile/check-account.ts';
import { perhapsSentReason } from '#shared/delivery/restored-delivery.ts';
import type { Account, Usage } from '#shared/marketplace/reading/account.ts';
import { ownerId } from '#test/support/pipeline.ts';
import { below80, minuteMs, RestoreDrill, told } from '../../support/restore-drill.ts';

let drill: RestoreDrill;

beforeEach(async () => {
  drill = await RestoreDrill.begin();
  return () => drill.end();
});

describe('after a restore', () => {
  it('an alert that was sent since the backup is not sent again, and the next is no repeat', async () => {
    await drill.minutes(100, 100);
    const backup = await drill.backUp();
    await drill.minutes(70, 100);
    const { done, before } = await drill.restore(backup);
    expect(told(before)).toEqual([[70, false]]);
    expect(done).toMatchObject({ carried: { alert: 1, decision: 1, delivery: 1 }, triggers: 1 });

    await drill.minutes(100, 60);
    expect(told(drill.pipeline.sent)).toEqual([[60, false]]);
    const ids = [...before, ...drill.pipeline.sent].map(({ alert }) => alert.alertId);
    expect(new Set(ids).size).toBe(2);
  });

  it('an alert of which nothing is known any more is sent again, and says that it may be a repeat', async () => {
    await drill.minutes(100, 100);
    const backup = await drill.backUp();
    await drill.minutes(70, 100);
    await drill.restore(backup, false);
    await drill.minutes(100);
    expect(told(drill.pipeline.sent)).toEqual([[70, true]]);
    const [sent] = drill.pipeline.sent;
    expect(sent?.alert.mayRepeatSince).toBe(backup.to);

    // Later alerts are news.
    await drill.minutes(...Array<number>(12).fill(100), 60);
    expect(told(drill.pipeline.sent)).toEqual([
      [70, true],
      [60, false],
    ]);
  });

  it('what owners had before stays to be seen: alerts and deliveries since the backup', async () => {
    await drill.minutes(100);
    const backup = await drill.backUp();
    await drill.minutes(70);
    const { stores } = await drill.restore(backup);
    const page = { limit: 10 };
    const [alert] = (await stores.alerts.list(ownerId, page)).rows;
    const [delivery] = (await stores.deliveries.list(ownerId, page)).rows;
    expect(alert?.value).toBe(7_000);
    expect(delivery?.status).toBe('sent');
  });

  it('a delivery that waited at the backup and was sent since is not sent again', async () => {
    await drill.minutes(100);
    await drill.raiseUnsent(70);
    const backup = await drill.backUp();
    drill.pipeline.clock.now += 10 * minuteMs;
    await drill.pipeline.reconcile();
    await drill.pipeline.drain();
    expect(told(drill.pipeline.sent)).toEqual([[70, false]]);

    const { done } = await drill.restore(backup);
    expect(done.deliveries).toEqual({ keep: 0, adopt: 1, perhaps_sent: 0 });
    await drill.pipeline.reconcile();
    await drill.pipeline.drain();
    expect(drill.pipeline.sent).toEqual([]);
  });

  it('without a witness such a delivery ends as unconfirmed, says why, and can be replayed', async () => {
    await drill.minutes(100);
    await drill.raiseUnsent(70);
    const backup = await drill.backUp();
    drill.pipeline.clock.now += 10 * minuteMs;
    await drill.pipeline.reconcile();
    await drill.pipeline.drain();
    expect(drill.pipeline.sent.length).toBe(1);

    const { done, stores } = await drill.restore(backup, false);
    expect(done.deliveries).toEqual({ keep: 0, adopt: 0, perhaps_sent: 1 });
    await drill.pipeline.reconcile();
    await drill.pipeline.drain();
    expect(drill.pipeline.sent).toEqual([]);
    const [delivery] = (await stores.deliveries.list(ownerId, { limit: 10 })).rows;
    expect(delivery).toMatchObject({ status: 'unconfirmed', lastReason: perhapsSentReason });
    const [alert] = (await stores.alerts.list(ownerId, { limit: 10 })).rows;
    expect(alert && (await readOutcome(stores, alert))).toMatchObject({
      ...{ state: 'sent', reason: perhapsSentReason, sentAt: null },
    });
    expect(await stores.deliveries.replay(delivery?.deliveryId ?? '', 0)).toBe(true);
  });

  it('an alert that waited unsent when everything stopped is sent, once', async () => {
    await drill.minutes(100);
    const backup = await drill.backUp();
    await drill.raiseUnsent(70);
    await drill.restore(backup);
    drill.pipeline.clock.now += 10 * minuteMs;
    await drill.pipeline.reconcile();
    await drill.pipeline.drain();
    await drill.minutes(70);
    expect(told(drill.pipeline.sent)).toEqual([[70, false]]);
  });

  it('a repeat of the pass changes nothing', async () => {
    await drill.minutes(100);
    const backup = await drill.backUp();
    await drill.minutes(70, 100, 75);
    const { again } = await drill.restore(backup);
    expect(await again()).toMatchObject({
      carried: { alert: 0, decision: 0, delivery: 0, notice: 0, pull: 0, suppression: 0 },
      ...{ stopped: 0, triggers: 0, feeds: 0, unreadable: 0 },
      deliveries: { keep: 0, adopt: 0, perhaps_sent: 0 },
    });
  });

  it('says what people did since, which is gone', async () => {
    await drill.minutes(100);
    const backup = await drill.backUp();
    const { watchId } = await drill.pipeline.addWatch([{ ...below80, at_or_below: 50 }]);
    const { done } = await drill.restore(backup);
    expect(done.lost).toEqual({ made: [`watch ${watchId}`], changed: [], deleted: [] });
  });

  it('what was paid since is in the ledger, and reconcile counts it in the budget again', async () => {
    await drill.minutes(100);
    const backup = await drill.backUp();
    await drill.minutes(90, 95);
    const { stores, done } = await drill.restore(backup);
    expect(done.carried.pull).toBe(2);

    const now = drill.pipeline.clock.now;
    expect((await stores.budget.current(now)).daySpent).toBe(1);
    const totals = { stats_pulls: 3, listings_pulls: 0, salesdata_pulls: 0 };
    const period = { period_start: '2026-03-01T00:00:00Z', period_end: '2026-04-01T00:00:00Z' };
    const checkAccount = createCheckAccount({
      ...stores,
      readAccount: async () => ({ rate_limits: {}, plans: [] }) as unknown as Account,
      readUsage: async () => ({ ...period, totals }) as unknown as Usage,
      notify: async () => true,
    });
    expect(await checkAccount({ active: [], share: 1 }, now)).toEqual({
      ledgerPulls: 3,
      usagePulls: 3,
      drift: false,
    });
    expect((await stores.budget.current(now)).daySpent).toBe(3);
  });

  it('a key that was revoked and a channel that was stopped since stay so, and so does a block', async () => {
    await drill.minutes(100);
    const key = { pk: 'APIKEY#h', sk: 'APIKEY', keyId: 'key_1' };
    const put = (Item: object) =>
      drill.now.client.send(new PutCommand({ TableName: 'Watchlist', Item: { ...Item } }));
    await put(key);
    const backup = await drill.backUp();
    await drill.now.client.send(
      new PutCommand({
        TableName: 'Watchlist',
        Item: { ...key, revokedAt: '2026-03-01T12:30:00.000Z' },
      }),
    );
    await drill.now.stores.suppressions.suppress(
      'ann@example.com',
      'complaint',
      backup.to + minuteMs,
    );
    const { done, stores } = await drill.restore(backup);
    expect(done).toMatchObject({ stopped: 1, carried: { suppression: 1 } });
    expect(await stores.suppressions.reasonFor('ann@example.com')).toBe('complaint');
  });
});
