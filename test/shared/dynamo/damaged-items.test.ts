// What each store makes of an item that is damaged in one field: removed, or of another type.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { shardOf } from '#shared/dynamo/shard.ts';
import { type FaultReport, listenForFaults } from '#shared/lambda/fault-report.ts';
import { reservationKey } from '#shared/polling/budget.ts';
import { claimLeaseMs } from '#shared/polling/feed.ts';
import { newMarketState } from '#shared/polling/market-state.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const day = '2026-03-05';
const caps = { daily: 10, monthly: 15 };
const damages = [
  ['removed', undefined],
  ['of another type', ['odd']],
] as const;

describe('a damaged item', () => {
  let tables: TestTables;
  let faults: FaultReport[];
  beforeEach(async () => {
    tables = await startTestTables();
    faults = [];
    const stopListening = listenForFaults((report) => faults.push(report));
    return async () => {
      stopListening();
      await tables.stop();
    };
  });

  async function damage(
    pk: string,
    sk: string,
    field: string,
    value?: unknown,
    table = 'Watchlist',
  ) {
    const isRemoved = value === undefined;
    await tables.client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk, sk },
        UpdateExpression: isRemoved ? 'REMOVE #f' : 'SET #f = :v',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#f': field },
        ...(!isRemoved && { ExpressionAttributeValues: { ':v': value } }),
      }),
    );
  }

  const aPull = (claim: string, pulls = 1) =>
    pullOf({
      ...{ claim, eventId: 7, kind: 'stats', pulls, reason: 'test', state: 'settled' },
      ...{ pulledAt: now - 3_600_000, watches: 1 },
    });

  const budgetFields = [
    ...['dayStart', 'daySpent', 'dayCommitted', 'periodStart', 'periodEnd', 'periodSpent'],
    ...['periodCommitted', 'reservations', 'stretchMs', 'moves'],
  ];
  const budgetDamages = budgetFields.flatMap((field) =>
    damages.map(([change, value]) => [field, change, value] as const),
  );

  it.each(budgetDamages)(
    'budget is healed from the ledger: %s %s',
    async (field, _change, value) => {
      const { budget, pulls } = tables.stores;
      const key = reservationKey(now + claimLeaseMs, 'stats');
      expect(await budget.reserve({ key, wanted: 6, caps }, now)).toBe(6);
      for (const claim of ['a', 'b', 'c', 'd']) {
        await budget.settle(key, { reserved: 1, spent: 1 });
        await pulls.create(aPull(claim));
      }
      await damage('BUDGET', 'BUDGET', field, value);
      // A call that was under way ends while the budget is damaged.
      await budget.settle(key, { reserved: 1, spent: 1 });
      await pulls.create(aPull('e'));

      const later = now + 2 * claimLeaseMs;
      await budget.reserve({ key: reservationKey(later + 1, 'x'), wanted: 99, caps }, now);
      const found = await budget.current(now);
      expect(found.dayCommitted).toBeLessThanOrEqual(10 + (field === 'reservations' ? 1 : 0));
      expect(found.daySpent).toBe(5);
      expect(found.periodSpent).toBe(5);
      // When the reservations of that time have lapsed, exactly the rest of the cap can be had.
      const rest = await budget.current(later + 2);
      expect([rest.daySpent, rest.dayCommitted]).toEqual([5, 5]);
      expect(await budget.reserve({ key, wanted: 99, caps }, later + 2)).toBe(5);
      // A count of moves that is gone begins anew with the next one: nothing is decided by it.
      if (field !== 'moves' || value) expect(faults.length).toBeGreaterThan(0);
    },
  );

  it('budget gives nothing while it can’t tell what is reserved', async () => {
    const { budget } = tables.stores;
    const key = reservationKey(now + claimLeaseMs, 'stats');
    await budget.reserve({ key, wanted: 6, caps }, now);
    await damage('BUDGET', 'BUDGET', 'reservations', 'odd');
    await damage('BUDGET', 'BUDGET', 'dayCommitted', 'odd');
    expect(await budget.reserve({ key, wanted: 1, caps }, now)).toBe(0);
    expect(await budget.reserve({ key, wanted: 1, caps }, now + claimLeaseMs + 1)).toBe(1);
  });

  it('row of the ledger counts one pull', async () => {
    await tables.stores.pulls.create(aPull('a', 5));
    const { callId } = aPull('a');
    for (const field of ['pulls', 'eventId', 'kind', 'state', 'pulledAt', 'watches']) {
      await damage(`LEDGER#${day}`, `PULL#${callId}`, field);
    }
    expect(await tables.stores.pulls.ofDay(day)).toMatchObject([
      {
        ...{ callId, eventId: 7, kind: 'stats', pulls: 1, state: 'settled', watches: 0 },
        pulledAt: Date.parse('2026-03-05T00:00:00Z'),
      },
    ]);
  });

  it('cap set by API leaves the deployment’s, and a damaged share is none', async () => {
    const { budget } = tables.stores;
    await budget.keepSettings({ daily: 5, monthly: 9, ownerShares: { own_1: 0.5, own_2: 0.2 } });
    await damage('BUDGET', 'SETTINGS', 'daily', 'odd');
    await damage('BUDGET', 'SETTINGS', 'ownerShares', { own_1: 'odd', own_2: 0.2 });
    expect(await budget.settings()).toEqual({
      ...{ daily: undefined, monthly: 9, ownerShares: { own_2: 0.2 } },
    });
  });

  it.each(damages)('day of an owner starts anew: %s', async (_change, value) => {
    const { budget } = tables.stores;
    await budget.chargeOwner(day, 'own_1', 3_000_000);
    await damage(`BUDGET#${day}`, 'OWNER#own_1', 'micropulls', value);
    expect(await budget.spentByOwner(day, 'own_1')).toBe(0);
    expect(await budget.chargeOwnerWithin(day, 'own_1', { pulls: 1, most: 5 })).toBe(true);
    await damage(`BUDGET#${day}`, 'OWNER#own_1', 'micropulls', value);
    await budget.chargeOwner(day, 'own_1', 2_000_000);
    expect(await budget.spentByOwner(day, 'own_1')).toBe(2);
  });

  it.each(
    ['version', 'faults', 'notBefore', 'windows', 'limits', 'pause', 'plan', 'clock'].flatMap(
      (field) => damages.map(([change, value]) => [field, change, value] as const),
    ),
  )('state of the marketplace starts anew in that field: %s %s', async (field, _change, value) => {
    const { marketState } = tables.stores;
    await marketState.change((state) => ({
      ...state,
      ...{ faults: 2, plan: 'pro', pause: { reason: 'payment', since: now } },
      ...{ clock: { offsetMs: 5 }, csvReadAt: now },
    }));
    await damage('MARKETPLACE', 'STATE', field, value);
    const { [field]: fresh } = newMarketState as unknown as Record<string, unknown>;
    expect(await marketState.read()).toMatchObject({ csvReadAt: now });
    expect((await marketState.read())[field as 'plan']).toEqual(fresh);
    await marketState.change((state) => ({ ...state, csvReadAt: now + 1 }));
    expect(await marketState.read()).toMatchObject({ csvReadAt: now + 1 });
    faults = [];
    await marketState.read();
    expect(faults).toEqual([]);
  });

  it('notice is left out of those to send', async () => {
    const { notices } = tables.stores;
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
    const { notices } = tables.stores;
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

  it.each(
    ['taken', 'moves', 'movedAt'].flatMap((field) =>
      damages.map(([change, value]) => [field, change, value] as const),
    ),
  )('quota is counted again: %s %s', async (field, _change, value) => {
    const { quotas } = tables.stores;
    const place = { ownerId: 'own_1', kind: 'watches', now } as const;
    await quotas.take(place, { wanted: 1, most: 2 }, async () => 0);
    await damage('OWNER#own_1', 'QUOTA#watches', field, value);
    await quotas.give('own_1', 'watches', 1);
    const later = { ...place, now: now + 120_000 };
    expect(await quotas.take(later, { wanted: 1, most: 2 }, async () => 1)).toBe(true);
    expect(await quotas.take(later, { wanted: 2, most: 2 }, async () => 2)).toBe(false);
  });

  it.each(damages)('count of requests starts anew: %s', async (_change, value) => {
    const { requestCounts } = tables.stores;
    await requestCounts.add('key_1', 60);
    await damage('REQUESTS#key_1', '60', 'requests', value);
    expect(await requestCounts.add('key_1', 60)).toBe(1);
    expect(await requestCounts.add('key_1', 60)).toBe(2);
  });

  it.each(damages)('tally starts anew: %s', async (_change, value) => {
    const { tallies } = tables.stores;
    const stretch = { name: 'day', startsAt: 0, endsAt: 86_400_000, ceiling: 2 };
    await tallies.take(stretch);
    await damage('TALLY#day', 'AT#0', 'count', value);
    expect(await tallies.take(stretch)).toBe(true);
    expect(await tallies.take(stretch)).toBe(true);
    expect(await tallies.take(stretch)).toBe(false);
  });

  it('suppression lets no mail through until it is lifted', async () => {
    const { suppressions } = tables.stores;
    await suppressions.countSoftBounce('Ann@example.org', 'f1', now);
    expect(await suppressions.reasonFor('ann@example.org')).toBeUndefined();
    for (const field of ['isSuppressed', 'updatedAt', 'lifts', 'liftedAt']) {
      await damage('ADDRESS#ann@example.org', 'SUPPRESSION', field, ['odd']);
    }
    expect(await suppressions.reasonFor('ann@example.org')).toBe('suppressed');
    expect(JSON.stringify(faults)).not.toContain('ann@');
    const found = await suppressions.find('ann@example.org');
    if (!found) throw new Error('no suppression');
    expect(await suppressions.lift(found, now + 1)).toBe(true);
    expect(await suppressions.reasonFor('ann@example.org')).toBeUndefined();
  });

  it('count of bounces starts anew, and a bounce still suppresses', async () => {
    const { suppressions } = tables.stores;
    await suppressions.countSoftBounce('ann@example.org', 'f1', now);
    await damage('ADDRESS#ann@example.org', 'SUPPRESSION', 'softBounces', 'odd');
    await damage('ADDRESS#ann@example.org', 'SUPPRESSION', 'liftedAt', 'odd');
    for (const id of ['f2', 'f3', 'f4', 'f5']) {
      expect(await suppressions.countSoftBounce('ann@example.org', id, now)).toBe(false);
    }
    expect(await suppressions.countSoftBounce('ann@example.org', 'f6', now)).toBe(true);
    expect(await suppressions.reasonFor('ann@example.org')).toBe('soft_bounces');
  });

  it('wish is still polled for', async () => {
    const { wishes, feeds } = tables.stores;
    const wish = { eventId: 7, kind: 'stats', watchId: 'w_1', latencySeconds: 60 } as const;
    await wishes.add({ ...wish, ownerId: 'own_1' }, now);
    const fields = ['eventId', 'kind', 'watchId', 'latencySeconds', 'ownerId', 'startMicropulls'];
    for (const field of fields) await damage('EVENT#7', 'WISH#stats#00000060#w_1', field);
    expect(await wishes.of(wish)).toMatchObject([wish]);
    expect(await wishes.settle(wish)).toBe(false);
    expect(await feeds.find(7, 'stats')).toMatchObject({ status: 'active', latencySeconds: 60 });
    await wishes.end(wish);
    expect(await wishes.of(wish)).toEqual([]);
    expect(await wishes.spentBy(7, 'w_1')).toMatchObject([{ micropulls: 0 }]);
  });

  it('claim of a question is taken over', async () => {
    const { watchClaims } = tables.stores;
    const claim = { ownerId: 'own_1', question: 'q', watchId: 'w_1', claimedAt: now };
    await watchClaims.claim(claim, undefined);
    await damage('OWNER#own_1', 'ASKS#q', 'watchId', 7);
    await damage('OWNER#own_1', 'ASKS#q', 'claimedAt');
    const found = await watchClaims.find('own_1', 'q');
    const next = { ...claim, watchId: 'w_2' };
    expect(await watchClaims.claim(next, found)).toBe(true);
    expect(await watchClaims.claim({ ...claim, watchId: 'w_3' }, found)).toBe(false);
    expect(await watchClaims.find('own_1', 'q')).toEqual(next);
  });

  it('id of an event is asked for again', async () => {
    const { eventIds } = tables.stores;
    await eventIds.keep({ shEventId: 5, eventId: 7 });
    await damage('SHEVENT#5', 'EVENT', 'eventId', 'odd');
    expect(await eventIds.find(5)).toBeUndefined();
    await eventIds.keep({ shEventId: 5, eventId: 7 });
    expect(await eventIds.find(5)).toBe(7);
  });

  it('rolled-up hour is left out, and a damaged coverage is none', async () => {
    const { rollups } = tables.stores;
    const point = { at: 1_000, value: 5 };
    const summary = { first: point, last: point, low: 5, high: 5 };
    const hourMs = 3_600_000;
    for (const startsAt of [0, hourMs]) {
      await rollups.putHour(7, 'zone:all/low', { startsAt, summary, points: [point] }, now);
    }
    const standing = { believed: null, suspect: null };
    const coverage = { from: 0, to: 2 * hourMs, record: null, standing };
    await rollups.putCoverage(7, 'zone:all/low', coverage);
    const pk = 'EVENT#7#rollup#zone:all/low';
    await damage(pk, 'hour#1970-01-01T00:00:00.000Z', 'summary', { low: 'odd' }, 'Snapshots');
    await damage(pk, 'values#1970-01-01T00:00:00.000Z', 'points', [['odd']], 'Snapshots');
    await damage(pk, 'hour#1970-01-01T01:00:00.000Z', 'startsAt', undefined, 'Snapshots');
    const range = { eventId: 7, base: 'zone:all/low', from: 0, to: 2 * hourMs } as const;
    expect(await rollups.summaries(range)).toMatchObject([{ startsAt: hourMs, summary }]);
    expect(await rollups.points(range)).toEqual([point]);
    expect(await rollups.findCoverage(7, 'zone:all/low')).toEqual(coverage);
    await damage(pk, 'coverage', 'coverage', { from: 0 }, 'Snapshots');
    expect(await rollups.findCoverage(7, 'zone:all/low')).toBeUndefined();
  });

  it('evaluation held until a far time is taken over', async () => {
    const { evaluations } = tables.stores;
    const key = { eventId: 7, kind: 'stats' } as const;
    await evaluations.nudge(key);
    await damage('EVENT#7', 'EVALUATION#stats', 'leaseUntil', 1e15);
    await damage('EVENT#7', 'EVALUATION#stats', 'evaluatedThrough', 1e15);
    const held = await evaluations.acquire(key, 'run', now, now + 90_000);
    expect(held).toMatchObject({ ...key, lease: 'run' });
    expect(held?.evaluatedThrough).toBeUndefined();
  });

  it('feed is polled by plausible values, whatever is stored', async () => {
    const { feeds } = tables.stores;
    await feeds.wake({ eventId: 7, kind: 'stats' }, 120, now);
    for (const field of ['latencySeconds', 'failures', 'lastSnapshotAt', 'lastPolledAt']) {
      await damage('EVENT#7', 'FEED#stats', field, 1e15);
    }
    await damage('EVENT#7', 'FEED#stats', 'eventId', -1);
    await damage('EVENT#7', 'FEED#stats', 'sharedMicropulls', 'odd');
    const [due] = await feeds.due('stats', shardOf('7'), now);
    if (!due) throw new Error('no feed is due');
    expect(due).toMatchObject({ eventId: 7, latencySeconds: 60, failures: 0 });
    expect([due.lastSnapshotAt, due.lastPolledAt]).toEqual([undefined, undefined]);
    await feeds.claim(due, 'claim', now + claimLeaseMs);
    const record = { nextPollAt: now, nextReason: 'test', failures: 0, settles: true };
    const finished = await feeds.finishPoll(due, 'claim', { ...record, micropulls: 5 });
    expect(finished?.sharedMicropulls).toBe(5);
  });

  it('health of a channel is counted anew', async () => {
    const { channelHealth } = tables.stores;
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

  it.each(
    ['total', 'byOwner'].flatMap((field) =>
      damages.map(([change, value]) => [field, change, value] as const),
    ),
  )('window of shared calls is counted anew: %s %s', async (field, _change, value) => {
    const { windowShares } = tables.stores;
    await windowShares.add(await windowShares.read('search', 60), 'own_1');
    await damage('WINDOW#search', '60', field, value);
    expect(await windowShares.add(await windowShares.read('search', 60), 'own_2')).toBe(true);
    expect((await windowShares.read('search', 60)).byOwner).toMatchObject({ own_2: 1 });
  });

  it.each(
    ['slots', 'moves'].flatMap((field) =>
      damages.map(([change, value]) => [field, change, value] as const),
    ),
  )('slots of an owner are free: %s %s', async (field, _change, value) => {
    const target = { kind: 'webhook', url: 'https://a.example/hook' } as const;
    const channel = { channelId: 'ch_1', ownerId: 'own_1', target } as never;
    await tables.stores.senderSlots(channel, now);
    await damage('OWNER#own_1', 'SENDER_SLOTS', field, value);
    for (let taken = 0; taken < 2; taken += 1) {
      expect(await tables.stores.senderSlots(channel, now)).toMatchObject({ kind: 'held' });
    }
  });

  it('count of confirmation mails starts anew', async () => {
    const { confirmationMails } = tables.stores;
    await confirmationMails.take('ann@example.org', now);
    const { createHash } = await import('node:crypto');
    const mailbox = createHash('sha256').update('ann@example.org').digest('hex');
    for (const field of ['sentAt', 'moves']) {
      await damage(`MAILBOX#${mailbox}`, 'CONFIRMATIONS', field, 'odd');
    }
    expect(await confirmationMails.take('ann@example.org', now)).toMatchObject({ kind: 'send' });
    expect(await confirmationMails.take('ann@example.org', now)).toMatchObject({ kind: 'wait' });
  });

  it.each(['fingerprint', 'status', 'body', 'startedAt'])(
    'answer kept is not repeated: %s',
    async (field) => {
      const { idempotency } = tables.stores;
      const place = { keyId: 'key_1', route: '/v1/watches', key: 'k' };
      await idempotency.begin(place, 'f', now);
      await idempotency.keep(place, { status: 201, headers: {}, body: 'sealed' });
      await damage('IDEMPOTENCY#key_1', '/v1/watches#k', field, ['odd']);
      await expect(idempotency.find(place, now)).rejects.toMatchObject({
        name: 'UnreadableItemError',
      });
    },
  );
});
