// What a poll stores, pays and decides, against the marketplace itself.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  minuteMs,
  openPolling,
  type Polling,
  type PollingOptions,
  startMs,
} from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

function open(options: PollingOptions = {}, events = 1): Polling {
  return openPolling(tables.stores, events, options);
}

const storedTimes = async (eventId = 1) =>
  (await tables.stores.snapshots.between({ eventId, kind: 'stats' }, 0, startMs * 2)).map(
    ({ observedAt }) => (observedAt - startMs) / minuteMs,
  );

const ledger = async (polling: Polling) =>
  tables.stores.pulls.ofDay(new Date(polling.clock.now).toISOString().slice(0, 10));

describe('a stats poll', () => {
  it('buys every snapshot since the last one with one pull and stores each once', async () => {
    const polling = open();
    await polling.watch(1);
    for (const price of [100, 90, 80]) {
      polling.clock.now += minuteMs;
      polling.refresh(1, price);
    }
    const [first] = await polling.minute();
    polling.clock.now += 10 * minuteMs;
    const [second] = await polling.minute();

    expect(first).toMatchObject({ outcome: 'polled', pulls: 1, newSnapshots: 3 });
    expect(second).toMatchObject({ outcome: 'polled', pulls: 0, newSnapshots: 0 });
    expect(await storedTimes()).toEqual([1, 2, 3]);
    expect(polling.charged()).toBe(1);
    expect(await ledger(polling)).toMatchObject([
      { eventId: 1, kind: 'stats', pulls: 1, reason: 'data', state: 'settled', watches: 1 },
    ]);
  });

  it('catches up on a gap of many pages in order', async () => {
    const polling = open();
    await polling.watch(1);
    for (let refresh = 0; refresh < 450; refresh += 1) {
      polling.clock.now += minuteMs;
      polling.refresh(1, 100 + (refresh % 7));
    }
    const [result] = await polling.minute();

    expect(result).toMatchObject({ pulls: 1, newSnapshots: 450 });
    expect(await storedTimes()).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  });

  it('tells the evaluation once there is something, and only then', async () => {
    const polling = open();
    await polling.watch(1);
    polling.refresh(1, 100);
    await polling.minute();
    polling.clock.now += 5 * minuteMs;
    await polling.minute();

    expect(polling.nudges).toEqual([{ eventId: 1, kind: 'stats' }]);
  });

  it('splits a pull among the watches that wanted it', async () => {
    const polling = open();
    for (const watchId of ['wat_1', 'wat_2', 'wat_3', 'wat_4']) {
      await polling.watch(1, 60, 'stats', watchId);
    }
    polling.refresh(1, 100);
    await polling.minute();

    expect(await tables.stores.feeds.find(1, 'stats')).toMatchObject({ sharedMicropulls: 250_000 });
    expect(await ledger(polling)).toMatchObject([{ watches: 4 }]);
  });

  it('is not made twice by a message that comes twice', async () => {
    const polling = open();
    await polling.watch(1);
    polling.refresh(1, 100);
    polling.clock.now += minuteMs;
    await polling.dispatch();
    const [message] = polling.queue.splice(0);
    if (!message) throw new Error('nothing was dispatched');
    const outcomes = await Promise.all([polling.handle(message), polling.handle(message)]);
    const late = await polling.handle(message);

    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['polled', 'stale_claim']);
    expect(late.outcome).toBe('stale_claim');
    expect(polling.charged()).toBe(1);
    expect(await storedTimes()).toEqual([0]);
  });

  it('learns the rhythm from the history it bought', async () => {
    const polling = open();
    await polling.watch(1);
    for (let refresh = 0; refresh < 4; refresh += 1) {
      polling.clock.now += 7 * minuteMs;
      polling.refresh(1, 100);
    }
    await polling.minute();

    const { rhythm } = (await tables.stores.feeds.find(1, 'stats')) ?? {};
    expect(rhythm?.gapsMs).toEqual([7 * minuteMs, 7 * minuteMs, 7 * minuteMs]);
  });
});
