// What the stores of feeds and market data make of an item that is damaged in one field.
import { describe, expect, it } from 'vitest';
import { shardOf } from '#shared/dynamo/shard.ts';
import { newMarketState } from '#shared/polling/market-state.ts';
import { timing } from '#shared/timing.ts';
import { damages, eachDamageOf, now, openDamage } from '#test/support/damaged-items/open-damage.ts';

const { opened, damage } = openDamage();
const hourMs = 3_600_000;

describe('a damaged item', () => {
  it.each(
    eachDamageOf(['version', 'faults', 'notBefore', 'windows', 'limits', 'pause', 'plan', 'clock']),
  )('state of the marketplace starts again in that field: %s %s', async (field, _change, value) => {
    const { marketState } = opened.tables.stores;
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
    opened.faults = [];
    await marketState.read();
    expect(opened.faults).toEqual([]);
  });

  it('wish is still polled for', async () => {
    const { subscriptions, feeds } = opened.tables.stores;
    const wish = { eventId: 7, kind: 'stats', watchId: 'w_1', latencySeconds: 60 } as const;
    await subscriptions.add({ ...wish, ownerId: 'own_1' }, now);
    const fields = ['eventId', 'kind', 'watchId', 'latencySeconds', 'ownerId', 'startMicropulls'];
    for (const field of fields) await damage('EVENT#7', 'WISH#stats#00000060#w_1', field);
    expect(await subscriptions.of(wish)).toMatchObject([wish]);
    expect(await subscriptions.syncSubscriptions(wish)).toBe(false);
    expect(await feeds.find(7, 'stats')).toMatchObject({ status: 'active', latencySeconds: 60 });
    await subscriptions.end(wish);
    expect(await subscriptions.of(wish)).toEqual([]);
    expect(await subscriptions.spentBy(7, 'w_1')).toMatchObject([{ micropulls: 0 }]);
  });

  it('id of an event is asked for again', async () => {
    const { eventIds } = opened.tables.stores;
    await eventIds.keep({ shEventId: 5, eventId: 7 });
    await damage('SHEVENT#5', 'EVENT', 'eventId', 'odd');
    expect(await eventIds.find(5)).toBeUndefined();
    await eventIds.keep({ shEventId: 5, eventId: 7 });
    expect(await eventIds.find(5)).toBe(7);
  });

  it('rolled-up hour is left out, and a damaged coverage is none', async () => {
    const { rollups } = opened.tables.stores;
    const point = { at: 1_000, value: 5 };
    const summary = { first: point, last: point, low: 5, high: 5 };
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
    const { evaluations } = opened.tables.stores;
    const key = { eventId: 7, kind: 'stats' } as const;
    await evaluations.nudge(key);
    await damage('EVENT#7', 'EVALUATION#stats', 'leaseUntil', 1e15);
    await damage('EVENT#7', 'EVALUATION#stats', 'evaluatedThrough', 1e15);
    const held = await evaluations.acquire(key, 'run', now, now + 90_000);
    expect(held).toMatchObject({ ...key, lease: 'run' });
    expect(held?.evaluatedThrough).toBeUndefined();
  });

  it.each(damages)('cursor begins again at its hour: %s', async (_change, value) => {
    const { evaluations } = opened.tables.stores;
    const key = { eventId: 7, kind: 'stats' } as const;
    await evaluations.nudge(key);
    await evaluations.acquire(key, 'run', now, now + 90_000);
    const standing = { believed: { at: now, value: 1 }, suspect: null };
    const memory = { hour: now - hourMs, standings: { 'stats/get_in': standing } };
    const cursorMemory = memory.standings;
    await evaluations.advance(key, 'run', {
      ...{ evaluatedThrough: now, alerts: 0, memory, cursorMemory },
    });
    expect(await evaluations.find(key)).toMatchObject({ evaluatedThrough: now, cursorMemory });
    await damage('EVENT#7', 'EVALUATION#stats', 'evaluatedThrough', value);
    const found = await evaluations.find(key);
    expect(found).toMatchObject({ evaluatedThrough: memory.hour, memory });
    expect(found?.cursorMemory).toBeUndefined();
  });

  it('feed is polled by plausible values, whatever is stored', async () => {
    const { feeds } = opened.tables.stores;
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
    await feeds.claim(due, 'claim', now + timing.claimLeaseMs);
    const record = { nextPollAt: now, nextReason: 'test', failures: 0, settles: true };
    const finished = await feeds.finishPoll(due, 'claim', { ...record, micropulls: 5 });
    expect(finished?.sharedMicropulls).toBe(5);
  });

  it.each([1, 60, 604_800])('feed with a latency of %i seconds is no damage', async (seconds) => {
    const { feeds } = opened.tables.stores;
    await feeds.wake({ eventId: 7, kind: 'stats' }, seconds, now);
    expect((await feeds.find(7, 'stats'))?.latencySeconds).toBe(seconds);
    expect(opened.faults).toEqual([]);
  });

  it.each(damages)('latency of a feed is taken from the next wish: %s', async (_change, value) => {
    const { feeds } = opened.tables.stores;
    await feeds.wake({ eventId: 7, kind: 'stats' }, 30, now);
    await damage('EVENT#7', 'FEED#stats', 'latencySeconds', value);
    await feeds.wake({ eventId: 7, kind: 'stats' }, 300, now);
    expect(await feeds.find(7, 'stats')).toMatchObject({ latencySeconds: 300 });
  });

  it('feed that lost its time is due from the next wish on', async () => {
    const { feeds } = opened.tables.stores;
    await feeds.wake({ eventId: 7, kind: 'stats' }, 30, now);
    const [due] = await feeds.due('stats', shardOf('7'), now);
    if (!due) throw new Error('no feed is due');
    await feeds.claim(due, 'claim', now + 90_000);
    await damage('EVENT#7', 'FEED#stats', 'nextPollAt');
    await feeds.wake({ eventId: 7, kind: 'stats' }, 30, now + 5);
    expect(await feeds.find(7, 'stats')).toMatchObject({ nextPollAt: now + 5 });
  });

  it.each(damages)('count of nudges starts again: %s', async (_change, value) => {
    const { evaluations } = opened.tables.stores;
    const key = { eventId: 7, kind: 'stats' } as const;
    for (let nudge = 0; nudge < 2; nudge += 1) await evaluations.nudge(key);
    await damage('EVENT#7', 'EVALUATION#stats', 'nudges', value);
    await evaluations.nudge(key);
    expect(await evaluations.find(key)).toMatchObject({ nudges: 1 });
  });
});
