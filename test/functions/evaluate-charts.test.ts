// The chart of an alert: the values of its number from before it and of the run that raised it, frozen with it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRunCharts } from '#functions/evaluate/run-charts.ts';
import { createRecentPoints } from '#shared/dynamo/recent-points.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import type { ListingsSnapshot } from '#shared/rules/listings-snapshot.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, createPipeline, type Pipeline, startMs } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const minute = 60_000;
const hour = 60 * minute;

let tables: TestTables;
let pipeline: Pipeline;
let eventId = 0;
let reads: number;
let failure: Error | undefined;
let reports: FaultReport[];
let stopListening: () => void;

/** The same stores; they count the reads of charts, and fail them if a test wants that. */
function counting(stores: Stores): Stores {
  const looks: Stores['snapshots']['looks'] = async (...asked) => {
    reads += 1;
    if (failure) throw failure;
    return stores.snapshots.looks(...asked);
  };
  return { ...stores, snapshots: { ...stores.snapshots, looks } };
}

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());
beforeEach(async () => {
  eventId += 1;
  [reads, failure, reports] = [0, undefined, []];
  stopListening = listenForFaults((report) => reports.push(report));
  pipeline = await createPipeline(counting(tables.stores), { event: eventId });
});
afterEach(() => stopListening());

const below = (dollars: number) => ({ type: 'level', metric: 'get_in', at_or_below: dollars });

/** Stores what the market showed before the pipeline began: dollars by hours. */
async function marketShowed(prices: [hours: number, dollars: number][]): Promise<void> {
  const rows = prices.map(([hours, dollars]) =>
    snapshotFromStats(eventId, aSnapshot(startMs - hours * hour, dollars)),
  );
  await tables.stores.snapshots.createAll(rows, startMs);
}

/** The chart of each alert: minutes from the start, and dollars. */
function charts() {
  return pipeline.raised.map(({ chart }) =>
    chart?.points.map(([at, value]) => [(at - startMs) / minute, value / 100]),
  );
}

describe('the chart of an alert', () => {
  it('has the values before it, and ends with its own', async () => {
    await marketShowed([
      [200, 300],
      [160, 120],
      [100, 110],
      [1, 100],
    ]);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(100);
    await pipeline.minute(74);
    expect(charts()).toEqual([
      [
        [-160 * 60, 120],
        [-100 * 60, 110],
        [-60, 100],
        [2 - 1 / 60, 74],
      ],
    ]);
    const [alert] = pipeline.raised;
    expect(await tables.stores.alerts.find(alert?.alertId ?? '')).toMatchObject({
      chart: { points: alert?.chart?.points, utcOffsetMinutes: 0 },
    });
  });

  it('has the values of the same run, where one run catches up on several snapshots', async () => {
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(100);
    pipeline.market.push(
      aSnapshot(startMs + 2 * minute, 95),
      aSnapshot(startMs + 3 * minute, 90),
      aSnapshot(startMs + 4 * minute, 79),
    );
    await pipeline.minute();
    for (let passed = 0; passed < 5 && pipeline.raised.length === 0; passed += 1) {
      await pipeline.minute();
    }
    expect(charts()).toEqual([
      [
        [1 - 1 / 60, 100],
        [2, 95],
        [3, 90],
        [4, 79],
      ],
    ]);
  });

  it('is missing if the number was seen once', async () => {
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(74);
    expect(charts()).toEqual([undefined]);
    expect(pipeline.sent).toHaveLength(1);
  });

  it('has at most 96 points, the lowest and the highest among them', async () => {
    const prices = Array.from({ length: 150 }, (_, index): [number, number] => {
      return [150 - index, index === 70 ? 130 : 110 + (index % 9)];
    });
    await marketShowed(prices);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(74);
    const [values = []] = charts();
    expect(values.length).toBe(96);
    expect(values.map(([, dollars]) => dollars)).toEqual(expect.arrayContaining([130, 74]));
  });

  it('has the clock of the venue', async () => {
    await marketShowed([[1, 100]]);
    const name = 'Knicks at Heat';
    const facts = { eventId, name, timeZone: 'America/New_York', updatedAt: startMs };
    await tables.stores.eventFacts.keep(facts);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(74);
    expect(pipeline.raised[0]?.chart?.utcOffsetMinutes).toBe(-300);
  });
});

describe('the reads for charts', () => {
  it('are none while nothing fires', async () => {
    await marketShowed([[1, 100]]);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(90);
    expect(reads).toBe(0);
  });

  it('are one for all alerts of a run', async () => {
    await marketShowed([[1, 100]]);
    for (const dollars of [80, 79, 78]) await pipeline.addWatch([below(dollars)]);
    await pipeline.addWatch([{ type: 'level', metric: 'median_price', at_or_below: 80 }]);
    await pipeline.minute(90);
    await pipeline.minute(70);
    expect(pipeline.raised).toHaveLength(4);
    expect(reads).toBe(1);
    expect(new Set(charts().map((chart) => JSON.stringify(chart))).size).toBe(1);
  });
});

describe('an alert whose chart can not be read', () => {
  it('is told without it, and the fault is reported once', async () => {
    failure = new Error('these values are odd');
    await marketShowed([[1, 100]]);
    for (const dollars of [80, 79]) await pipeline.addWatch([below(dollars)]);
    await pipeline.minute(74);
    expect(charts()).toEqual([undefined, undefined]);
    expect(pipeline.sent).toHaveLength(2);
    expect(reports).toEqual([
      {
        thing: 'evaluation_history',
        reason: 'Error: these values are odd',
        ids: { eventId, series: 'stats/get_in' },
        error: failure,
      },
    ]);
  });

  it('is told at once if only this moment is bad, and no fault is reported', async () => {
    failure = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    await marketShowed([[1, 100]]);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(74);
    expect(charts()).toEqual([undefined]);
    expect(pipeline.sent).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  it('has days of UTC if the stored time zone is none', async () => {
    await marketShowed([[1, 100]]);
    const facts = { eventId, name: 'Knicks at Heat', timeZone: 'Mars/Base', updatedAt: startMs };
    await tables.stores.eventFacts.keep(facts);
    await pipeline.addWatch([below(80)]);
    await pipeline.minute(74);
    expect(pipeline.raised[0]?.chart?.utcOffsetMinutes).toBe(0);
    expect(pipeline.sent).toHaveLength(1);
  });
});

describe('the number in a chart', () => {
  const filter = 'sections=101-105';

  function listings(at: number, cheapestCents: number | null, count: number): ListingsSnapshot {
    const summary = { count, cheapestCents, newCheapestCents: cheapestCents, matches: [] };
    return { feedKind: 'listings', eventId, observedAt: at, filters: { [filter]: summary } };
  }

  /** The values in the chart of a firing at the start, after an hour with other values. */
  async function valuesOf(series: string, role: 'main' | 'no_data', base: number) {
    const { snapshots } = tables.stores;
    const zone = { zone_name: 'Lower Bowl', get_in: 90, get_in_qty2plus: 90, avg_price: 90 };
    const stats = { ...aSnapshot(startMs - hour, 80), zones: [{ ...zone, median_price: 90 }] };
    const rows = [snapshotFromStats(eventId, stats as never), listings(startMs - hour, 15_000, 7)];
    await snapshots.createAll(rows, startMs);
    const kind = series.startsWith('listings/') ? 'listings' : 'stats';
    const run = {
      feed: { eventId, kind } as const,
      history: new LoadedHistory(),
      through: startMs,
    };
    const readChart = createRunCharts(createRecentPoints(tables.stores), run);
    const firing = { role, observedAt: startMs, base };
    const chart = await readChart({ series, firing, timeZone: undefined });
    return chart?.points.map(([, value]) => value);
  }

  it.each<[string, string, number, number[] | undefined]>([
    ['a zone', 'stats/get_in/zone=Lower%20Bowl', 7_000, [9_000, 7_000]],
    ['a change', 'stats/get_in/drop_pct:high:24h', 6_000, [8_000, 6_000]],
    ['a number of listings', 'stats/total_listings_active', 2, [5, 2]],
    ['a fill rate', 'stats/listing_fill_rate', 4_000, [5_000, 4_000]],
    ['a listing filter', `listings/cheapest/${filter}`, 12_000, [15_000, 12_000]],
    [
      'a new listing, the cheapest match',
      `listings/new_cheapest/${filter}`,
      12_000,
      [15_000, 12_000],
    ],
    ['matching listings', `listings/count/${filter}`, 3, [7, 3]],
    ['the presence of a zone, none', 'stats/present/zone=Lower%20Bowl', 1, undefined],
    ['an unknown series, none', 'stats/of_the_future', 1, undefined],
  ])('is that of %s', async (_title, series, base, expected) => {
    expect(await valuesOf(series, 'main', base)).toEqual(expected);
  });

  it('is not the marker of a missing value', async () => {
    expect(await valuesOf('stats/get_in/missing', 'no_data', 1)).toBeUndefined();
  });
});
