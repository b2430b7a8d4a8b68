import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';
import { aTrigger } from '#test/support/triggers.ts';

const eventId = 7;
const place = (count: number) => (stores: Stores) => stores.triggers.place(eventId, count);
const shardsLeft = (stores: Stores) => stores.triggers.shardsOf(eventId);

describeMeetings('the triggers placed on an event', {
  'are all counted': meeting({
    given: place(400),
    a: place(600),
    b: place(601),
    left: shardsLeft,
    outcomes: [
      [0, 1, 2],
      [1, 0, 2],
    ],
  }),
  'are not counted less when a lost count is restored': meeting({
    given: place(1_500),
    a: place(600),
    b: ({ triggers }) => triggers.coverShard(eventId, 1),
    left: shardsLeft,
    outcomes: [
      [2, true, 3],
      [1, false, 3],
    ],
  }),
  'are in a shard that a later reader knows': meeting({
    given: place(1_000),
    a: place(1),
    b: async (stores) => (await stores.triggers.shardsOf(eventId)) > 0,
    left: shardsLeft,
    outcomes: [[1, true, 2]],
  }),
});

describe('the shards of an event', () => {
  let tables: TestTables;
  beforeAll(async () => {
    tables = await startDynaliteTables();
  });
  afterAll(() => tables.stop());

  it('are one before any trigger was placed', async () => {
    expect(await tables.stores.triggers.shardsOf(1)).toBe(1);
  });

  it('are all evaluated when their count is damaged, also after the next trigger', async () => {
    const item = { pk: 'EVENT#2', sk: 'SHARDS', entity: 'eventShards', eventId: 2, placed: 'many' };
    await tables.client.send(
      new PutCommand({ TableName: tables.names.WATCHLIST_TABLE, Item: item }),
    );

    expect(await tables.stores.triggers.shardsOf(2)).toBe(64);
    await tables.stores.triggers.place(2, 1);
    expect(await tables.stores.triggers.shardsOf(2)).toBe(64);
  });

  it('keep a trigger that cannot be read apart from those of other shards', async () => {
    const { triggers } = tables.stores;
    const trigger = aTrigger({ eventId: 4, triggerId: 'trg_odd', state: 'new' });
    await triggers.create({ ...trigger, shard: 2 });
    const { TableName, Key } = {
      TableName: tables.names.WATCHLIST_TABLE,
      Key: { pk: 'TRIGGER#trg_odd', sk: 'TRIGGER' },
    };
    const { Item } = await tables.client.send(new GetCommand({ TableName, Key }));
    const damaged = { ...Item, trigger: { ...Item?.trigger, shard: 'second' } };
    await tables.client.send(new PutCommand({ TableName, Item: damaged }));

    const unreadableIn = async (shard: number) => {
      const run = triggers.forEvent(4, { shard });
      await run.index.unsettled();
      return { run, found: run.takeUnreadable() };
    };
    const { run, found } = await unreadableIn(2);
    expect(found.map(({ triggerId }) => triggerId)).toEqual(['trg_odd']);
    for (const fault of found) await run.setAside(fault, { reason: 'odd', release: '1', now: 0 });
    expect((await unreadableIn(2)).found).toHaveLength(1);
    expect((await unreadableIn(0)).found).toEqual([]);
  });

  it('give the nearest triggers of all of them, and know any on a series', async () => {
    const { triggers } = tables.stores;
    await triggers.place(3, 2_001);
    for (const [shard, level] of [70, 90, 80].entries()) {
      const base = aTrigger({ eventId: 3, triggerId: `trg_${shard}`, level, state: 'armed' });
      await triggers.create({ ...base, ...(shard > 0 && { shard }) });
    }
    const { series, direction } = aTrigger();
    const near = { eventId: 3, series, direction, state: 'armed', shards: 3 } as const;

    const levels = async (limit: number) =>
      (await triggers.nearest(near, limit)).map(({ level }) => level);
    expect([await levels(2), await levels(9)]).toEqual([
      [90, 80],
      [90, 80, 70],
    ]);
    await triggers.remove('trg_0');
    await triggers.remove('trg_1');
    expect(await triggers.findAnyOn(3, series)).toBe(true);
    await triggers.remove('trg_2');
    expect(await triggers.findAnyOn(3, series)).toBe(false);
  });
});
