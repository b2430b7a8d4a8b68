// Reconcile's care for series: what no trigger asks for is dropped after two looks, and nothing else.
import { beforeEach, describe, expect, it } from 'vitest';
import { createDropIdleSeries } from '#functions/reconcile/drop-idle-series.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';
import { aTrigger } from '#test/support/triggers.ts';

const eventId = 1;
const getIn = 'stats/get_in';
const average = 'stats/avg_price';

/** Reconcile runs as often, and each of 16 shards has one turn in as many runs. */
const runMs = 5 * 60_000;
const turns = 16;

let tables: TestTables;
let now: number;

beforeEach(async () => {
  tables = await startTestTables();
  now = Date.parse('2026-03-01T12:00:00Z');
  return () => tables.stop();
});

/** Every shard has its turn once. @returns how many were dropped */
async function round(stores: Parameters<typeof createDropIdleSeries>[0] = tables.stores) {
  const drop = createDropIdleSeries(stores);
  let dropped = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    now += runMs;
    dropped += (await drop([{ eventId } as Feed], now)).dropped;
  }
  return dropped;
}

const seriesOf = () => tables.stores.triggers.seriesOf(eventId);

describe('a series whose last trigger has gone', () => {
  beforeEach(async () => {
    await tables.stores.triggers.create(aTrigger({ eventId }));
    await tables.stores.triggers.remove('trg_1');
  });

  it('is dropped at the second look', async () => {
    await round();
    expect(await seriesOf()).toEqual([getIn]);
    await round();
    expect(await seriesOf()).toEqual([]);
  });

  it('stays through looks that come soon after another', async () => {
    const drop = createDropIdleSeries(tables.stores);
    // Minute by minute, so that each shard has five looks in its one turn.
    for (let look = 0; look < turns * 5; look += 1) {
      now += runMs / 5;
      expect((await drop([{ eventId } as Feed], now)).dropped).toBe(0);
    }
    expect(await seriesOf()).toEqual([getIn]);
  });

  it('stays when a trigger is made between the two looks', async () => {
    await round();
    await tables.stores.triggers.create(aTrigger({ eventId, triggerId: 'trg_2' }));
    await round();
    await round();
    expect(await seriesOf()).toEqual([getIn]);
  });

  it('stays when a trigger is made while it is about to be dropped', async () => {
    await round();
    const { seriesInUse, triggers } = tables.stores;
    const dropped = await round({
      triggers,
      seriesInUse: {
        ...seriesInUse,
        drop: async (row) => {
          await triggers.create(aTrigger({ eventId, triggerId: 'trg_2' }));
          return seriesInUse.drop(row);
        },
      },
    });
    expect(dropped).toBe(0);
    expect(await seriesOf()).toEqual([getIn]);
  });
});

describe.each(['new', 'armed', 'pending', 'fired'] as const)('a trigger that is %s', (state) => {
  it('keeps its series, and those of its condition', async () => {
    const condition = { all: [{ series: average, direction: 'up', level: 9_000 } as const] };
    await tables.stores.triggers.create(aTrigger({ eventId, state, condition }));
    await round();
    await round();
    await round();
    expect(await seriesOf()).toEqual([average, getIn]);
  });
});

it('drops what only the condition of a removed trigger asked for, and keeps the rest', async () => {
  const condition = { series: average, direction: 'up', level: 9_000 } as const;
  await tables.stores.triggers.create(aTrigger({ eventId, condition }));
  await tables.stores.triggers.remove('trg_1');
  await tables.stores.triggers.create(
    aTrigger({ eventId, triggerId: 'trg_2', series: 'stats/median_price' }),
  );
  await round();
  await round();
  expect(await seriesOf()).toEqual(['stats/median_price']);
});

it('looks at a hundred events a run, and at all of them in turn', async () => {
  const looked = new Set<number>();
  const most: number[] = [];
  const drop = createDropIdleSeries({
    triggers: { findAnyOn: async () => true },
    seriesInUse: {
      ...tables.stores.seriesInUse,
      list: async (id) => {
        looked.add(id);
        most[most.length - 1] = (most.at(-1) ?? 0) + 1;
        return [];
      },
    },
  });
  const feeds = Array.from({ length: 4_000 }, (_, id) => ({ eventId: id + 1 }) as Feed);
  for (let turn = 0; turn < turns * 4; turn += 1) {
    most.push(0);
    await drop(feeds, turn * runMs);
  }
  expect(Math.max(...most)).toBe(100);
  expect(looked.size).toBe(4_000);
});
