// The list of a feed's living messages: its pages, what is left out of it, and what a deletion takes.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firedAt } from '#test/support/alerts.ts';
import { aLivingMessage } from '#test/support/living-messages.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const now = firedAt + 10_000;
let tables: TestTables;
beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());

const store = () => tables.stores.livingMessages;
const keep = (eventId: number, changes: Parameters<typeof aLivingMessage>[0]) =>
  store().keep(aLivingMessage({ eventId, ...changes }));
const channelsOf = async (eventId: number, kind: 'stats' | 'listings' = 'stats') =>
  (await store().list({ eventId, kind }, { limit: 10, now })).messages.map(
    ({ channelId }) => channelId,
  );

it('comes page by page, those of one feed alone', async () => {
  for (const channelId of ['ch_1', 'ch_2', 'ch_3']) await keep(1, { channelId });
  await keep(1, { channelId: 'ch_4', feedKind: 'listings' });
  await keep(2, { channelId: 'ch_5' });
  const feed = { eventId: 1, kind: 'stats' } as const;
  const first = await store().list(feed, { limit: 2, now });
  expect(first.messages.map(({ channelId }) => channelId)).toEqual(['ch_1', 'ch_2']);
  const second = await store().list(feed, { limit: 2, now, after: first.next });
  expect(second).toMatchObject({ messages: [{ channelId: 'ch_3' }] });
  expect(second.next).toBeUndefined();
  expect(await channelsOf(1, 'listings')).toEqual(['ch_4']);
});

it('leaves out what has expired and is not deleted yet', async () => {
  await keep(3, { channelId: 'ch_1', expiresAtEpochSeconds: now / 1_000 });
  await keep(3, { channelId: 'ch_2', expiresAtEpochSeconds: now / 1_000 + 1 });
  expect(await channelsOf(3)).toEqual(['ch_2']);
});

it('leaves out a damaged message, which can be discarded', async () => {
  await keep(4, { channelId: 'ch_1' });
  await keep(4, { channelId: 'ch_2' });
  const { messages } = await store().list({ eventId: 4, kind: 'stats' }, { limit: 10, now });
  const [, second] = messages;
  const { triggerId = '' } = second ?? {};
  const key = { pk: 'EVENT#4#LIVING', sk: `stats#${triggerId}#1#ch_2` };
  const TableName = tables.names.WATCHLIST_TABLE;
  await tables.client.send(
    new PutCommand({ TableName, Item: { ...second, ...key, shows: { kind: 'odd' } } }),
  );
  const page = await store().list({ eventId: 4, kind: 'stats' }, { limit: 10, now });
  expect(page.messages).toMatchObject([{ channelId: 'ch_1' }]);
  expect(page.unreadable).toMatchObject([key]);
  await store().discard(page.unreadable);
  const after = await store().list({ eventId: 4, kind: 'stats' }, { limit: 10, now });
  expect(after).toMatchObject({ messages: [{ channelId: 'ch_1' }], unreadable: [] });
});

it('loses those of a watch that is deleted, of both feeds', async () => {
  await keep(5, { channelId: 'ch_1', watchId: 'wat_a' });
  await keep(5, { channelId: 'ch_2', watchId: 'wat_b' });
  await keep(5, { channelId: 'ch_3', watchId: 'wat_a', feedKind: 'listings' });
  await store().removeOf(5, 'wat_a');
  expect(await channelsOf(5)).toEqual(['ch_2']);
  expect(await channelsOf(5, 'listings')).toEqual([]);
});
