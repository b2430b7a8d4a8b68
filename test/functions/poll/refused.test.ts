// A poll that the rate limit refuses: the feed takes a later turn, and nothing of it stays in the queue.
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, openPolling, type Polling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let polling: Polling;
let isLimited: boolean;

beforeEach(async () => {
  tables = await startTestTables();
  isLimited = true;
  polling = openPolling(tables.stores, 5, {
    intercept: async (_request, pass) => (isLimited ? tooMany() : pass()),
  });
  return () => tables.stop();
});

function tooMany(): Response {
  const error = { type: 'rate_limit_error', code: 'rate_limited', message: 'slow down' };
  return Response.json({ error }, { status: 429, headers: { 'retry-after': '1' } });
}

describe('a poll that is told to wait a second, for minutes', () => {
  it('gives its feed back each time, and its message never comes again', async () => {
    await polling.watch(1);
    for (let minute = 0; minute < 5; minute += 1) await polling.minute();

    expect(polling.queue).toEqual([]);
    expect(await tables.stores.feeds.find(1, 'stats')).toMatchObject({ failures: 0 });
    isLimited = false;
    polling.refresh(1, 100);
    for (let minute = 0; minute < 4; minute += 1) await polling.minute();
    expect(await tables.stores.snapshots.newest({ eventId: 1, kind: 'stats' })).toBeDefined();
  });

  it('does not bring the feeds that were refused back at one moment', async () => {
    for (const eventId of [1, 2, 3, 4, 5]) await polling.watch(eventId);
    polling.clock.now += minuteMs;
    await polling.dispatch();
    await Promise.all(polling.queue.map((message) => polling.handle(message)));

    const feeds = await Promise.all(
      [1, 2, 3, 4, 5].map((eventId) => tables.stores.feeds.find(eventId, 'stats')),
    );
    const waits = feeds.map((feed) => (feed?.nextPollAt ?? 0) - polling.clock.now);
    expect(new Set(waits).size).toBe(5);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000 + 2 * minuteMs);
  });
});
