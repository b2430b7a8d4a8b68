// The snapshots of a chart: of their zones only those that it shows.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { startMs, statsAt } from '#test/support/api.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const minuteMs = 60_000;
const most = { snapshots: 100, pages: 5 };
let tables: TestTables;
let eventId = 0;
beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());
beforeEach(() => {
  eventId += 1;
});

const at = (minutes: number, zones: Record<string, number> = {}): MarketSnapshot => ({
  ...statsAt(startMs + minutes * minuteMs, 90, zones),
  eventId,
});
const read = (zones: string[] = [], limits = most) =>
  tables.stores.snapshots.chartLooks(
    { eventId, kind: 'stats' },
    { from: startMs, through: startMs + 100 * minuteMs, zones },
    limits,
  );

describe('the snapshots of a chart', () => {
  it('are those of the range in time order, with their metrics, the zones asked for, and their polls', async () => {
    const { snapshots } = tables.stores;
    const rows = [at(-1), at(1, { Floor: 10, Club: 20 }), at(2, { Club: 30 })];
    await snapshots.createAll(rows, startMs, { at: startMs + 5 });
    const { looks, isCut } = await read(['Club', 'Nowhere', 'Club']);
    expect(looks).toEqual([
      { snapshot: at(1, { Club: 20 }), look: { at: startMs + 5 } },
      { snapshot: at(2, { Club: 30 }), look: { at: startMs + 5 } },
    ]);
    expect(isCut).toBe(false);
    expect((await read()).looks[0]?.snapshot).toEqual(at(1));
  });

  it('have zones of any name', async () => {
    const names = ['__proto__', 'constructor', ':', '', 'a.b[0]', '#x', 'ab\uD800', 'Élysée "1"'];
    const zones = Object.fromEntries(names.map((name, n) => [name, n + 1]));
    await tables.stores.snapshots.createAll([at(1, zones)], startMs);
    const { looks } = await read(names);
    const [found] = looks.map(({ snapshot }) => snapshot as MarketSnapshot);
    const wellFormed = names.map((name) => name.toWellFormed()).sort();
    expect(Object.keys(found?.zones ?? {}).sort()).toEqual(wellFormed);
  });

  it('are the newest ones where there are more than asked for', async () => {
    await tables.stores.snapshots.createAll([at(1), at(2), at(3)], startMs);
    const { looks, isCut } = await read([], { snapshots: 2, pages: 5 });
    expect(looks.map(({ snapshot }) => snapshot.observedAt)).toEqual([
      startMs + 2 * minuteMs,
      startMs + 3 * minuteMs,
    ]);
    expect(isCut).toBe(true);
    expect((await read([], { snapshots: 3, pages: 5 })).looks).toHaveLength(3);
  });

  it.each<[string, object]>([
    ['no snapshot', { snapshot: undefined }],
    ['a snapshot of another event', { snapshot: at(2) }],
    ['numbers that are none', { snapshot: { ...at(2), metrics: { get_in: 'odd' } } }],
  ])('are without those that have %s', async (_, damage) => {
    await tables.stores.snapshots.createAll([at(1), at(3)], startMs);
    const observedAt = startMs + 2 * minuteMs;
    await tables.client.send(
      new PutCommand({
        TableName: 'Snapshots',
        Item: {
          ...{ pk: `EVENT#${eventId}#stats`, sk: new Date(observedAt).toISOString() },
          ...{ entity: 'snapshot', eventId, kind: 'stats', observedAt, ...damage },
        },
      }),
    );
    expect((await read()).looks).toHaveLength(2);
  });

  it('are none for a range that ends before it begins', async () => {
    const feed = { eventId, kind: 'stats' } as const;
    const range = { from: startMs, through: startMs - 1, zones: [] };
    expect(await tables.stores.snapshots.chartLooks(feed, range, most)).toEqual({
      ...{ looks: [], isCut: false },
    });
  });
});
