import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
const now = Date.parse('2026-03-01T12:00:00Z');

beforeEach(async () => {
  tables = await startDynaliteTables();
  return () => tables.stop();
});

const wish = (watchId: string, latencySeconds: number, kind: FeedKind = 'stats') => ({
  ...{ eventId: 7, kind, watchId, latencySeconds, ownerId: 'own_1' },
});
const add = (watchId: string, seconds: number) =>
  tables.stores.subscriptions.add(wish(watchId, seconds), now);
const end = (watchId: string, seconds: number) =>
  tables.stores.subscriptions.end(wish(watchId, seconds));
const feed = () => tables.stores.feeds.find(7, 'stats');

describe('a feed', () => {
  it('is made with its first wish, polled for the strongest, and sleeps after the last', async () => {
    await add('wat_1', 900);
    expect(await feed()).toMatchObject({ status: 'active', latencySeconds: 900 });
    await add('wat_2', 60);
    expect((await feed())?.latencySeconds).toBe(60);
    await end('wat_2', 60);
    expect((await feed())?.latencySeconds).toBe(900);
    await end('wat_1', 900);
    expect((await feed())?.status).toBe('idle');
  });

  it('wakes for a new wish', async () => {
    await add('wat_1', 60);
    await end('wat_1', 60);
    await add('wat_2', 300);

    expect(await feed()).toMatchObject({ status: 'active', latencySeconds: 300, nextPollAt: now });
  });

  it('has the strongest wish of the live ones whatever comes and goes at once', async () => {
    const latencies = [60, 120, 300, 600, 900, 1_800, 3_600];
    await Promise.all(latencies.map((seconds) => add(`wat_${seconds}`, seconds)));
    await Promise.all([60, 120, 300].map((seconds) => end(`wat_${seconds}`, seconds)));
    expect((await feed())?.latencySeconds).toBe(600);

    await Promise.all([
      ...[600, 900].map((seconds) => end(`wat_${seconds}`, seconds)),
      add('wat_new', 700),
    ]);
    expect((await feed())?.latencySeconds).toBe(700);
  });

  it('never sleeps while somebody joins as the last one leaves', async () => {
    for (let round = 0; round < 5; round += 1) {
      await add(`wat_${round}`, 60);
      await Promise.all([end(`wat_${round}`, 60), add(`wat_${round}_next`, 60)]);
      expect((await feed())?.status).toBe('active');
      await end(`wat_${round}_next`, 60);
      expect((await feed())?.status).toBe('idle');
    }
  });

  it('is brought in line when a crash left it behind its subscriptions', async () => {
    await add('wat_1', 900);
    const stale = await feed();
    if (stale) await tables.stores.feeds.setLatency(stale, 60);

    expect(await tables.stores.subscriptions.syncSubscriptions({ eventId: 7, kind: 'stats' })).toBe(
      true,
    );
    expect((await feed())?.latencySeconds).toBe(900);
    expect(await tables.stores.subscriptions.syncSubscriptions({ eventId: 7, kind: 'stats' })).toBe(
      false,
    );
  });
});

describe('the cost of a wish', () => {
  it('is what was shared while it lasted, and stays when it ends', async () => {
    const share = async (micropulls: number) => {
      const current = await feed();
      if (!current) throw new Error('no feed');
      await tables.stores.feeds.claim(current, 'c', now + 1);
      await tables.stores.feeds.finishPoll(current, 'c', {
        ...{ nextPollAt: now, nextReason: 'test', failures: 0, settles: true, micropulls },
      });
    };
    await add('wat_1', 60);
    await share(1_000_000);
    await add('wat_2', 60);
    await share(500_000);
    await end('wat_1', 60);
    await end('wat_1', 60);
    await share(1_000_000);

    expect(await tables.stores.subscriptions.spentBy(7, 'wat_1')).toMatchObject([
      { micropulls: 1_500_000 },
    ]);
    const second = await tables.stores.subscriptions.find(wish('wat_2', 60));
    expect(((await feed())?.sharedMicropulls ?? 0) - (second?.startMicropulls ?? 0)).toBe(
      1_500_000,
    );
  });
});
