// The recent prices that a poll writes on a feed: also those of the zones that rules are about.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecentOfNews } from '#functions/poll/recent-of-news.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { eventId, startMs, statsAt } from '#test/support/api.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const hourMs = 3_600_000;
let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

const feed = { eventId } as Feed;
const triggers = ['stats/get_in', 'stats/get_in/zone=Club', 'stats/present/zone=Club'].map(
  (series) => ({ series }) as Trigger,
);

it('begin with what the stored days have of a zone, and go on without them', async () => {
  const { priceDays } = tables.stores;
  const found = [26, 1, 0].map((hours) =>
    statsAt(startMs - hours * hourMs, 50, { Club: 10 + hours }),
  );
  await priceDays.addAll(eventId, found, { readStored: async () => [], now: startMs });
  const reads: unknown[] = [];
  const recentOfNews = createRecentOfNews({
    read: (...asked) => {
      reads.push(asked);
      return priceDays.read(...asked);
    },
  });
  const first = await recentOfNews(
    feed,
    { snapshots: found.slice(-1) },
    { triggers, now: startMs },
  );
  expect(first?.zones?.map(({ name, cents }) => [name, cents])).toEqual([
    ['Club', [...Array(23).fill(3_600), 1_100, 1_000]],
  ]);
  const next = statsAt(startMs + hourMs, 50, { Club: 70 });
  const asked = { triggers, now: startMs + hourMs };
  const second = await recentOfNews({ ...feed, recent: first }, { snapshots: [next] }, asked);
  expect(second?.zones?.[0]?.cents).toEqual([...Array(22).fill(3_600), 1_100, 1_000, 7_000]);
  expect(reads).toHaveLength(1);
});

it('keep the zones when the triggers could not be read, and drop them without a rule', async () => {
  const recentOfNews = createRecentOfNews(tables.stores.priceDays);
  const zones = [{ name: 'Club', hour: startMs / hourMs, cents: [5], week: [5] }];
  const recent = { hour: startMs / hourMs, cents: [5], week: [5], zones };
  const none = { snapshots: [] };
  expect(
    await recentOfNews({ ...feed, recent }, none, { triggers: undefined, now: startMs }),
  ).toEqual(recent);
  expect(
    await recentOfNews({ ...feed, recent }, none, { triggers: [], now: startMs }),
  ).not.toHaveProperty('zones');
});
