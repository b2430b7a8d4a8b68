// The days of prices: what polls add to them, and what a chart reads.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packDay } from '#shared/dynamo/price-day-form.ts';
import { listenForFaults } from '#shared/fault-report.ts';
import { emptyDay } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { statsAt } from '#test/support/api.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const midnight = Date.parse('2026-03-01T00:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let tables: TestTables;
let eventId = 0;
beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());
beforeEach(() => {
  eventId += 1;
});

const at = (minutes: number, price: number, zones = {}): MarketSnapshot => ({
  ...statsAt(midnight + minutes * minuteMs, price, zones),
  eventId,
});
const add = (rows: MarketSnapshot[], stored: MarketSnapshot[] = []) =>
  tables.stores.priceDays.addAll(eventId, rows, { readStored: async () => stored, now: midnight });
const read = (from: number, to: number, pages = 4) =>
  tables.stores.priceDays.read(eventId, { from, to }, pages);
const firstHour = async () =>
  (await read(midnight, midnight)).days.map(({ metrics }) => metrics.get_in[0]);

describe('days of prices', () => {
  it('are added to by each poll, and read oldest first', async () => {
    await add([at(0, 90), at(24 * 60, 70)]);
    await add([at(30, 80), at(24 * 60 + 5, 75)]);
    await add([at(30, 80)]);
    const { days, isCut } = await read(midnight + 5 * minuteMs, midnight + 3 * dayMs);
    expect(days.map(({ startsAt, metrics }) => [startsAt, metrics.get_in[0]])).toEqual([
      [midnight, [9_000, 8_000, 8_000]],
      [midnight + dayMs, [7_000, 7_500, 7_500]],
    ]);
    expect(isCut).toBe(false);
    expect((await read(midnight + dayMs, midnight + 3 * dayMs)).days).toHaveLength(1);
  });

  it('keep what two polls add at the same time', async () => {
    await Promise.all([add([at(1, 90)]), add([at(2, 80)]), add([at(3, 70)])]);
    expect(await firstHour()).toEqual([[9_000, 7_000, 7_000]]);
  });

  it('begin with what is stored of the day, after an upgrade', async () => {
    await add([at(30, 80)], [at(0, 90), at(10, 60)]);
    expect(await firstHour()).toEqual([[9_000, 6_000, 8_000]]);
  });

  it.each<[string, object]>([
    ['bytes that are no day', { hours: Buffer.from('odd') }],
    ['text', { hours: 'odd' }],
    ['nothing', { hours: undefined }],
  ])('that are damaged by %s are left out, and made again by the next poll', async (_, damage) => {
    await add([at(0, 90), at(24 * 60, 70)]);
    const key = { pk: `EVENT#${eventId}#days`, sk: '2026-03-01T00:00:00.000Z' };
    const item = { ...key, entity: 'priceDay', eventId, startsAt: midnight, revision: 1 };
    await tables.client.send(
      new PutCommand({
        TableName: 'Snapshots',
        Item: { ...item, expiresAtEpochSeconds: 2e9, ...damage },
      }),
    );
    const reports: string[] = [];
    const stop = listenForFaults(({ reason }) => reports.push(reason));
    expect((await read(midnight, midnight + dayMs)).days).toHaveLength(1);
    await add([at(40, 80)], [at(0, 90)]);
    stop();
    expect(reports.length).toBeGreaterThan(0);
    expect(await firstHour()).toEqual([[9_000, 8_000, 8_000]]);
  });

  it('are read from the newest back, as many pages as are allowed', async () => {
    // Bytes after the end of the compressed day are no part of it: so an item is large and quick to read.
    for (let day = 0; day < 4; day += 1) {
      const startsAt = midnight + day * dayMs;
      const sk = new Date(startsAt).toISOString();
      const hours = await packDay(eventId, emptyDay(startsAt));
      await tables.client.send(
        new PutCommand({
          TableName: 'Snapshots',
          Item: {
            ...{ pk: `EVENT#${eventId}#days`, sk, entity: 'priceDay', eventId, startsAt },
            ...{ revision: 1, expiresAtEpochSeconds: 2e9 },
            hours: Buffer.concat([hours, Buffer.alloc(350_000)]),
          },
        }),
      );
    }
    const range = [midnight, midnight + 3 * dayMs] as const;
    const one = await read(...range, 1);
    expect(one.isCut).toBe(true);
    expect(one.days.length).toBeLessThan(4);
    expect(one.days.at(-1)?.startsAt).toBe(midnight + 3 * dayMs);
    const all = await read(...range, 10);
    expect([all.days.length, all.isCut]).toEqual([4, false]);
  });

  it('leave out and report the zones for which an item has no room', async () => {
    const reports: string[] = [];
    const stop = listenForFaults(({ reason }) => reports.push(reason));
    const zones = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, n) => [`${Math.sin(n)}`, 1 + ((n * 7919) % 99_991)]),
    );
    await add([at(0, 90, zones)]);
    stop();
    expect(reports[0]).toMatch(/^\d+ zones left out: the prices of one day have no room for them$/);
    const [day] = (await read(midnight, midnight)).days;
    expect(day?.metrics.get_in[0]).toBe(9_000);
    expect(day?.zones.size).toBeGreaterThan(5_000);
  });
});
