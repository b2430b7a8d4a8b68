// The number of requests to DynamoDB that an explanation takes, as functions/api/README.md counts them.
import { expect, it } from 'vitest';
import { statsAt } from '#test/support/api.ts';
import { startCountedApi } from '#test/support/counted-api.ts';
import { storeWatch } from '#test/support/many-watches.ts';

it('a day of one watch takes few requests, however many snapshots it has', async () => {
  const counted = await startCountedApi();
  const { api, tables } = counted;
  const { ownerId, channelId, key } = tables.ann;
  await storeWatch(tables.stores, { ownerId, channelId, n: 1 });
  const minutes = 24 * 60;
  const madeAt = tables.clock.now;
  for (let n = 10; n <= minutes; n += 10) {
    const snapshot = { ...statsAt(madeAt + n * 60_000, 90 + (n % 7)), eventId: 1 };
    await tables.stores.snapshots.create(snapshot, madeAt + n * 60_000);
  }
  api.clock.now = madeAt + minutes * 60_000;
  const path = `/v1/watches/wat_${'1'.padStart(32, '0')}/explain?limit=200`;
  const { body, status, requests } = await counted.requestsOf(path, key);
  expect([status, body.data.length]).toEqual([200, 145]);
  const count = (name: string) => requests.filter((each) => each === name).length;
  // Queries: the looks, the one before them, the values before the first.
  expect(count('QueryCommand')).toBeLessThanOrEqual(5);
  expect(requests.length).toBeLessThanOrEqual(12);
  expect(requests.filter((name) => !/Get|Query|Update/.test(name))).toEqual([]);
  await counted.stop();
});
