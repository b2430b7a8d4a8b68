// The synthetic watch over real tables: the whole way from dispatch to a sender, at a price that never changes.
import { beforeEach, describe, expect, it } from 'vitest';
import { createKeepSyntheticWatch } from '#functions/reconcile/keep-synthetic-watch.ts';
import { syntheticOwnerId, syntheticWatchId } from '#shared/watchlist/synthetic-watch.ts';
import { aSnapshot, createPipeline, eventId, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const minute = 60_000;

let tables: TestTables;
let pipeline: Pipeline;
beforeEach(async () => {
  tables = await startTestTables();
  pipeline = await createPipeline(tables.stores);
  return () => tables.stop();
});

/** The step of a deployment that names an event. */
function keeping(event: number | undefined) {
  const sendNudge = async (message: object) => void pipeline.queues.evaluate.push(message);
  return createKeepSyntheticWatch({ ...tables.stores, sendNudge }, event);
}

/** Time passes in steps of five minutes, as reconcile runs; the market refreshes at each, at the same price. */
async function pass(minutes: number, { isPolled = true } = {}): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 5) {
    pipeline.clock.now += 5 * minute;
    pipeline.market.push(aSnapshot(pipeline.clock.now - 1_000, 100));
    await keeping(eventId)(pipeline.clock.now);
    if (isPolled) await pipeline.dispatch();
    await pipeline.drain();
  }
}

const proofs = () => pipeline.sent.map(({ delivery }) => delivery.createdAt);
const pulls = async () => (await tables.stores.budget.read())?.daySpent;

describe('the synthetic watch', () => {
  it('is told every ten minutes at one price, and costs a pull an hour', async () => {
    pipeline.clock.now += 5 * minute;
    await pass(180);

    expect(pipeline.sent).toHaveLength(18);
    expect(new Set(pipeline.sent.map(({ alert }) => alert.alertId)).size).toBe(18);
    expect(pipeline.sent.every(({ alert }) => alert.base === 10_000)).toBe(true);
    const [first = 0, ...later] = proofs();
    expect(later.map((at) => (at - first) / minute)).toEqual(later.map((_, n) => 10 * (n + 1)));
    expect(await pulls()).toBe(3);
  });

  it('is told once in a slot, however many runs there are', async () => {
    await pass(10);
    const before = pipeline.sent.length;
    const outcomes = await Promise.all([
      keeping(eventId)(pipeline.clock.now),
      keeping(eventId)(pipeline.clock.now),
    ]);
    await pipeline.drain();

    expect(outcomes).toEqual(['idle', 'idle']);
    expect(pipeline.sent).toHaveLength(before);
  });

  it('falls silent when polls stop', async () => {
    await pass(60);
    const before = pipeline.sent.length;
    await pass(120, { isPolled: false });
    const atOld = pipeline.sent.length;
    await pass(60, { isPolled: false });

    expect(atOld).toBeGreaterThan(before);
    expect(pipeline.sent).toHaveLength(atOld);
  });

  it('moves to another event with the setting', async () => {
    await pass(10);
    expect(await keeping(4712)(pipeline.clock.now)).toBe('armed');

    const { feeds, watches, subscriptions } = tables.stores;
    expect((await watches.find(syntheticWatchId))?.eventId).toBe(4712);
    expect(await subscriptions.of({ eventId, kind: 'stats' })).toEqual([]);
    expect((await feeds.find(eventId, 'stats'))?.status).toBe('idle');
    expect((await feeds.find(4712, 'stats'))?.status).toBe('active');
  });

  it('is not there without the setting, and leaves nothing to poll', async () => {
    expect(await keeping(undefined)(pipeline.clock.now)).toBe('off');
    await pass(10);
    expect(await keeping(undefined)(pipeline.clock.now)).toBe('removed');

    const { channels, feeds, watches } = tables.stores;
    expect(await watches.listAll(syntheticOwnerId)).toEqual([]);
    expect((await channels.list(syntheticOwnerId, { limit: 10 })).rows).toEqual([]);
    expect((await feeds.find(eventId, 'stats'))?.status).toBe('idle');
  });
});
