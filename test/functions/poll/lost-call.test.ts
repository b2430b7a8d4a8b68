// A call whose worker died: the marketplace may have charged it, so the next call waits until the ledger
// has it, and no other way of giving the feed back loses it.
import { beforeEach, describe, expect, it } from 'vitest';
import { holdBucket } from '#shared/polling/market-state.ts';
import { minuteMs, openPolling, type Polling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let polling: Polling;
/** The step after which the worker dies, once. */
let deadly: string | undefined;

beforeEach(async () => {
  tables = await startTestTables();
  deadly = undefined;
  polling = openPolling(tables.stores, 1, {
    afterStep: (step) => {
      if (step !== deadly) return;
      deadly = undefined;
      throw new Error('the worker died');
    },
  });
  await polling.watch(1);
  polling.refresh(1, 100);
  return () => tables.stop();
});

/** A worker dies right after it noted that its call goes out: whether it went is not known. */
async function loseCall(): Promise<void> {
  deadly = 'feeds.beginCall';
  polling.clock.now += minuteMs;
  await polling.dispatch();
  const [message] = polling.queue.splice(0);
  if (!message) throw new Error('nothing was dispatched');
  await expect(polling.handle(message)).rejects.toThrow('the worker died');
}
const ledger = async () =>
  (await tables.stores.pulls.ofDay('2026-03-01'))
    .map(({ reason, pulls, state }) => [reason, pulls, state])
    .sort();
const both = [
  ['data', 1, 'unsettled'],
  ['worker_lost', 1, 'unsettled'],
];
const spent = async () => (await tables.stores.budget.read())?.daySpent;

describe('a call whose worker died', () => {
  it('counts as one uncertain pull as soon as the feed is claimed again', async () => {
    await loseCall();
    expect(await ledger()).toEqual([]);
    polling.clock.now += 6 * minuteMs;
    await polling.minute();

    expect(await ledger()).toEqual(both);
    expect(await spent()).toBe(2);
  });

  it('counts also after a poll that was held because the marketplace takes no calls', async () => {
    await loseCall();
    polling.clock.now += 6 * minuteMs;
    await polling.dispatch();
    const until = polling.clock.now + minuteMs;
    await tables.stores.marketState.change((state) => holdBucket(state, 'events_stats', until));
    const [held] = await polling.drain();
    await polling.minute();
    await polling.minute();

    expect(held).toEqual({ outcome: 'held', reason: 'rate_limited' });
    expect(await ledger()).toEqual(both);
    expect(await spent()).toBe(2);
  });
});
