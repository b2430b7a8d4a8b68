// A marketplace that fails: the operator is told once, and only a trial call is made while it is closed.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketState } from '#shared/polling/market-state.ts';
import { minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let polling: Polling;
let isDown: boolean;
let calls: number;

beforeEach(async () => {
  tables = await startTestTables();
  isDown = true;
  calls = 0;
  polling = openPolling(tables.stores, 6, {
    intercept: async (_request, pass) => {
      calls += 1;
      return isDown ? new Response('no', { status: 503 }) : pass();
    },
  });
  return () => tables.stop();
});

async function told(): Promise<unknown[]> {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: 'Watchlist' }));
  return Items.filter(({ audience }) => audience === 'operator').map(({ kind }) => kind);
}

const close = (closed: Partial<MarketState>) =>
  tables.stores.marketState.change((state) => ({ ...state, ...closed }));

it('is told when five calls in a row have failed, and when a trial call is answered', async () => {
  for (const eventId of [1, 2, 3, 4]) await polling.watch(eventId);
  await polling.minute();
  expect(await told()).toEqual([]);
  await polling.watch(5);
  await polling.watch(6);
  await polling.minute();
  expect(await told()).toEqual(['marketplace_down']);

  isDown = false;
  for (let minute = 0; minute < 5; minute += 1) await polling.minute();
  expect((await told()).sort()).toEqual(['marketplace_back', 'marketplace_down']);
});

describe('a message that was sent before the marketplace closed', () => {
  it.each<[string, true | undefined, Partial<MarketState>, number]>([
    ['makes no call in an outage', undefined, { openUntil: startMs + 9 * minuteMs }, 0],
    [
      'makes its call in an outage if it is the trial',
      true,
      { openUntil: startMs + 9 * minuteMs },
      1,
    ],
    [
      'makes no call over the rate limit',
      undefined,
      { notBefore: { events_stats: startMs * 2 } },
      0,
    ],
    ['makes no trial over the rate limit', true, { notBefore: { events_stats: startMs * 2 } }, 0],
    ['makes its call in an open market', undefined, {}, 1],
  ])('%s', async (_what, trial, closed, made) => {
    isDown = false;
    await polling.watch(1);
    polling.clock.now += minuteMs;
    await polling.dispatch();
    await close(closed);
    const [message] = polling.queue;
    if (!message) throw new Error('nothing was dispatched');
    calls = 0;
    const result = await polling.handle({ ...message, ...(trial && { trial }) });

    expect(result.outcome).toBe(made > 0 ? 'polled' : 'held');
    expect(Math.min(calls, 1)).toBe(made);
  });
});
