// The hours of a series, rolled up: readers at different places of the series share them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { createRollUp } from '#shared/dynamo/roll-up.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, startMs } from '#test/support/pipeline.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const hourMs = 3_600_000;
const base = 'stats/get_in';
let tables: TestTables;
let event = 0;

beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());
beforeEach(() => {
  event += 1;
});

const timeOf = (hour: number) => startMs + hour * hourMs;
const feed = () => ({ eventId: event, kind: 'stats' }) as const;

/** Stores prices in dollars by their hour. */
async function store(...prices: [hour: number, dollars: number][]): Promise<void> {
  const rows = prices.map(([hour, dollars]) =>
    snapshotFromStats(event, aSnapshot(timeOf(hour), dollars)),
  );
  await tables.stores.snapshots.createAll(rows, startMs);
}

/** Rolls up as a reader does whose last snapshot is of an hour. */
async function rollUp(hour: number, isRewound = false): Promise<void> {
  const request = { feed: feed(), base, spanMs: Number.POSITIVE_INFINITY, now: startMs };
  await createRollUp(tables.stores)({ ...request, through: timeOf(hour), isRewound });
}

/** The lowest and the highest price of all time for a reader whose last snapshot is of an hour. */
async function recordAt(hour: number) {
  const through = timeOf(hour);
  const { history } = await createLoadHistory(tables.stores)({
    ...{ feed: feed(), series: ['stats/get_in/below_low:ever'], through, newest: through },
    now: startMs,
  });
  const found = history.summary(base, Number.NEGATIVE_INFINITY, through);
  return found && [found.low / 100, found.high / 100, (found.last.at - startMs) / hourMs];
}

async function covered() {
  const found = await tables.stores.rollups.findCoverage(event, base);
  const record = found?.record;
  return found && [(found.to - startMs) / hourMs, record && [record.low / 100, record.high / 100]];
}

describe('the record of a series', () => {
  const prices = () => store([-3.5, 100], [-2.5, 90], [-1.5, 80], [-0.5, 120], [0, 95]);

  it('has the covered hours and the hour that goes on', async () => {
    await prices();
    expect(await recordAt(-0.5)).toEqual([80, 120, -0.5]);
    expect(await covered()).toEqual([-1, [80, 100]]);
    expect(await recordAt(0)).toEqual([80, 120, 0]);
    expect(await covered()).toEqual([0, [80, 120]]);
  });

  it('has no later value for a reader that is behind another', async () => {
    await prices();
    await rollUp(-3.5);
    await rollUp(0);
    expect(await recordAt(-3.5)).toEqual([100, 100, -3.5]);
    expect(await recordAt(-2.5)).toEqual([90, 100, -2.5]);
    expect(await recordAt(-1)).toEqual([80, 100, -1.5]);
    expect(await covered()).toEqual([0, [80, 120]]);
  });

  it('loses the later hours when it is set back, and has them again afterwards', async () => {
    await prices();
    await rollUp(0);
    await rollUp(-1.5, true);
    expect(await covered()).toEqual([-2, [90, 100]]);
    await store([-1.75, 70]);
    await rollUp(0);
    expect(await covered()).toEqual([0, [70, 120]]);
  });

  it('is set back to nothing before its first hour', async () => {
    await prices();
    await rollUp(0);
    await rollUp(-3.5, true);
    expect(await covered()).toEqual([-4, null]);
  });
});

it('a price that its next snapshot confirms counts in its own hour, whenever that comes', async () => {
  await store([-2.5, 100], [-1.25, 5]);
  await rollUp(-1);
  expect(await covered()).toEqual([-1, [100, 100]]);
  await store([-0.5, 6]);
  await rollUp(0);
  expect(await covered()).toEqual([0, [5, 100]]);
  const range = { eventId: event, base, from: timeOf(-2), to: timeOf(-1) } as const;
  expect(await tables.stores.rollups.points(range)).toEqual([{ at: timeOf(-1.25), value: 500 }]);
});
