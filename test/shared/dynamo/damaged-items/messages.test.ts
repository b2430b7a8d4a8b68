// What the stores of notices and mails make of an item that is damaged in one field.
import { describe, expect, it } from 'vitest';
import { addressHash } from '#shared/delivery/suppression.ts';
import { shardOf } from '#shared/dynamo/shard.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { anAlert } from '#test/support/alerts.ts';
import { eachDamageOf, now, openDamage } from '#test/support/damaged-items/open-damage.ts';

const { opened, damage } = openDamage();

describe('a damaged item', () => {
  it('notice is left out of those to send', async () => {
    const { notices } = opened.tables.stores;
    const text = { kind: 'usage_drift', title: 'Drift', text: 'Look' } as const;
    const [odd, other] = ['1', '9'].map((cause) => operatorNotice(text, cause, now));
    if (!odd || !other) throw new Error('no notices');
    for (const notice of [odd, other]) await notices.create(notice);
    await damage(`NOTICE#${odd.noticeId}`, 'NOTICE', 'text');
    expect(await notices.find(odd.noticeId)).toBeUndefined();
    const unsent = await Promise.all(
      [odd, other].map(({ noticeId }) => notices.unsent(shardOf(noticeId), now, 10)),
    );
    expect(new Set(unsent.flat().map(({ noticeId }) => noticeId))).toEqual(
      new Set([other.noticeId]),
    );
  });

  it('notices that are damaged keep none of the others from their turn, and stay stored', async () => {
    const { notices } = opened.tables.stores;
    const text = { kind: 'usage_drift', title: 'Drift', text: 'Look' } as const;
    const inShard = Array.from({ length: 200 }, (_, cause) => operatorNotice(text, `${cause}`, now))
      .filter(({ noticeId }) => shardOf(noticeId) === 3)
      .slice(0, 4);
    const [first, second, third, last] = inShard;
    if (!first || !second || !third || !last) throw new Error('no notices');
    for (const notice of [first, second, third]) {
      await notices.create({ ...notice, createdAt: now - 1 });
      await damage(`NOTICE#${notice.noticeId}`, 'NOTICE', 'text');
    }
    await notices.create(last);
    expect(await notices.unsent(3, now, 3)).toEqual([]);
    expect(await notices.unsent(3, now, 3)).toMatchObject([{ noticeId: last.noticeId }]);
    await damage(`NOTICE#${first.noticeId}`, 'NOTICE', 'text', 'Look again');
    const aDayLater = now + 24 * 3_600_000;
    const found = await notices.unsent(3, aDayLater, 9);
    expect(found.map(({ text: words }) => words).sort()).toEqual(['Look', 'Look again']);
  });

  it.each([
    ['baseline', null],
    ['previousBase', null],
    ['askedLevel', null],
    ['isFromNone', false],
    ['alreadyTrue', false],
    ['sentence', 'a damaged rule'],
  ])('alert stays in the list without its %s', async (field, otherwise) => {
    const { alerts } = opened.tables.stores;
    const alert = anAlert();
    await alerts.create(alert);
    for (const wrong of [['odd'], undefined]) {
      await damage(`ALERT#${alert.alertId}`, 'ALERT', field, wrong);
      const { rows } = await alerts.list(alert.ownerId, { limit: 10 });
      expect(rows).toMatchObject([{ ...alert, [field]: otherwise }]);
    }
  });

  it('suppression lets no mail through until it is lifted', async () => {
    const { suppressions } = opened.tables.stores;
    await suppressions.countSoftBounce('Ann@example.org', 'f1', now);
    expect(await suppressions.reasonFor('ann@example.org')).toBeUndefined();
    for (const field of ['isSuppressed', 'updatedAt', 'lifts', 'liftedAt']) {
      await damage(`ADDRESS#${addressHash('ann@example.org')}`, 'SUPPRESSION', field, ['odd']);
    }
    expect(await suppressions.reasonFor('ann@example.org')).toBe('suppressed');
    expect(JSON.stringify(opened.faults)).not.toContain('ann@');
    const found = await suppressions.find('ann@example.org');
    if (!found) throw new Error('no suppression');
    expect(await suppressions.lift(found, now + 1)).toBe(true);
    expect(await suppressions.reasonFor('ann@example.org')).toBeUndefined();
  });

  it('count of bounces starts again, and a bounce still suppresses', async () => {
    const { suppressions } = opened.tables.stores;
    await suppressions.countSoftBounce('ann@example.org', 'f1', now);
    await damage(`ADDRESS#${addressHash('ann@example.org')}`, 'SUPPRESSION', 'softBounces', 'odd');
    await damage(`ADDRESS#${addressHash('ann@example.org')}`, 'SUPPRESSION', 'liftedAt', 'odd');
    for (const id of ['f2', 'f3', 'f4', 'f5']) {
      expect(await suppressions.countSoftBounce('ann@example.org', id, now)).toBe(false);
    }
    expect(await suppressions.countSoftBounce('ann@example.org', 'f6', now)).toBe(true);
    expect(await suppressions.reasonFor('ann@example.org')).toBe('soft_bounces');
  });

  it('health of a channel is counted again', async () => {
    const { channelHealth } = opened.tables.stores;
    const failure = { now, lastReason: 'http_500', isPerhapsGone: false };
    await channelHealth.countFailure('ch_1', failure);
    for (const field of ['failures', 'failingSince', 'throttles', 'openUntil']) {
      await damage('CHANNEL#ch_1', 'HEALTH', field, ['odd']);
    }
    expect(await channelHealth.countFailure('ch_1', failure)).toMatchObject({ failures: 1 });
    await channelHealth.throttle('ch_1', now + 1);
    expect(await channelHealth.open('ch_1', now + 5)).toBe(true);
    expect(await channelHealth.countFailure('ch_1', failure)).toMatchObject({
      ...{ failures: 2, throttles: 1, openUntil: now + 5, failingSince: now },
    });
  });

  it.each(eachDamageOf(['slots', 'moves']))(
    'slots of an owner are free: %s %s',
    async (field, _change, value) => {
      const target = { kind: 'webhook', url: 'https://a.example/hook' } as const;
      const channel = { channelId: 'ch_1', ownerId: 'own_1', target } as never;
      await opened.tables.stores.senderSlots(channel, now);
      await damage('OWNER#own_1', 'SENDER_SLOTS', field, value);
      for (let taken = 0; taken < 2; taken += 1) {
        expect(await opened.tables.stores.senderSlots(channel, now)).toMatchObject({
          kind: 'held',
        });
      }
    },
  );

  it('count of confirmation mails starts again', async () => {
    const { confirmationMails } = opened.tables.stores;
    await confirmationMails.take('ann@example.org', now);
    const { createHash } = await import('node:crypto');
    const mailbox = createHash('sha256').update('ann@example.org').digest('hex');
    for (const field of ['sentAt', 'moves']) {
      await damage(`MAILBOX#${mailbox}`, 'CONFIRMATIONS', field, 'odd');
    }
    expect(await confirmationMails.take('ann@example.org', now)).toMatchObject({ kind: 'send' });
    expect(await confirmationMails.take('ann@example.org', now)).toMatchObject({ kind: 'wait' });
  });
});
