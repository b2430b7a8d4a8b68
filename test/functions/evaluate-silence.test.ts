// What a rule's own limits keep back: one record for each alert that would have been, and none for
// anything else, however often the work is done again.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { aSnapshot, createPipeline, ownerId, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let pipeline: Pipeline;

beforeEach(async () => {
  tables = await startTestTables();
  pipeline = await createPipeline(tables.stores);
  return () => tables.stop();
});

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };
const alerts = async (): Promise<Alert[]> =>
  (await tables.stores.alerts.list(ownerId, { limit: 200 })).rows.toReversed();
/** What was told or kept back, in dollars, with the reason of the latter. */
const told = async () =>
  (await alerts()).map(({ base, unsentReason = 'sent' }) => [base / 100, unsentReason]);
const see = async (...getIns: (number | null)[]) => {
  for (const getIn of getIns) await pipeline.minute(getIn);
  // A feed that has shown its rhythm is not polled each minute.
  for (let each = 0; each < 3; each += 1) await pipeline.minute();
};

describe('a cool-down', () => {
  const rule = { ...below80, cool_down_minutes: 60 };

  it('leaves a record of each crossing that it kept silent, with its numbers', async () => {
    await pipeline.addWatch([rule]);
    await see(100, 74, 100, 71, 70, 100, 72);

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
      [72, 'cool_down'],
    ]);
    expect((await alerts())[1]).toMatchObject({
      alertId: expect.stringMatching(/^alt_\w+_2_s\d{13}$/),
      sentence: 'Get-in at or below $80; at most once in 60 minutes',
      value: 7_100,
      previousBase: 10_000,
      askedLevel: 8_000,
      observedAt: Date.parse('2026-03-01T12:03:59Z'),
      firedAt: Date.parse('2026-03-01T12:04:00Z'),
    });
    expect(pipeline.raised).toHaveLength(1);
    expect(pipeline.sent).toHaveLength(1);
  });

  it('that ends while the level is still reached lets the alert out, beside its record', async () => {
    await pipeline.addWatch([{ ...rule, cool_down_minutes: 5 }]);
    await see(100, 74, 100, 71, 71, 71, 71, 70, 70);

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
      [71, 'sent'],
    ]);
  });

  it('leaves one record for each change where every change is news', async () => {
    const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 10 } };
    const news = { ...drop, from: { of: 'previous_snapshot' }, cool_down_minutes: 60 };
    await pipeline.addWatch([news]);
    await see(100, 80, 60, 60, 40);

    expect(await told()).toEqual([
      [80, 'sent'],
      [60, 'cool_down'],
      [40, 'cool_down'],
    ]);
  });

  it('leaves one record a crossing where a condition goes with the level', async () => {
    const few = { type: 'supply', metric: 'total_listings_active', at_or_below: 40 };
    await pipeline.addWatch([{ ...rule, all_of: [few] }]);
    await see(100, 74, 100, 71, 71, 70, 100, 72, 72);

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
      [72, 'cool_down'],
    ]);
  });
});

describe('a limit of alerts a day', () => {
  it('leaves a record with the cap as its reason', async () => {
    await pipeline.addWatch([{ ...below80, at_most_per_day: 2 }]);
    await see(100, 74, 100, 73, 100, 72, 100);

    expect(await told()).toEqual([
      [74, 'sent'],
      [73, 'sent'],
      [72, 'cap'],
    ]);
  });
});

describe('one crossing is one record', () => {
  const once = { at_most_per_day: 1 };
  /** The market's steps: a get-in, or no listing; 1 is the zone Floor on sale at $50, 0 is without it. */
  const cases: [string, object, (number | null)[], [number | null, string][]][] = [
    [
      'of a zone that becomes available',
      { type: 'supply', zone: 'Floor', becomes: 'available', ...once },
      [0, 1, 1, 0, 1, 1, 1, 0, 1, 1],
      [
        [2, 'sent'],
        [5, 'cap'],
        [9, 'cap'],
      ],
    ],
    [
      'of missing data',
      { ...below80, on_no_data: 'alert', ...once },
      [100, 74, null, null, null, 90, null, null],
      [
        [2, 'sent'],
        [3, 'cap'],
        [7, 'cap'],
      ],
    ],
    [
      'after missing data that clears',
      { ...below80, on_no_data: 'clear', ...once },
      [100, 74, null, 73, 72, null, 71, 71],
      [
        [2, 'sent'],
        [4, 'cap'],
        [7, 'cap'],
      ],
    ],
    [
      'around missing data that is kept',
      { ...below80, ...once },
      [100, 74, 100, 73, null, null, 72, 100, 71],
      [
        [2, 'sent'],
        [4, 'cap'],
        [9, 'cap'],
      ],
    ],
    [
      'that several snapshots confirm',
      { ...below80, confirmations: 2, ...once },
      [100, 74, 74, 100, 73, 72, 71, null, 71, 100, 70, 70, 70],
      [
        [3, 'sent'],
        [6, 'cap'],
        [12, 'cap'],
      ],
    ],
    [
      'of a change from a window',
      {
        ...{ type: 'change', metric: 'get_in', drops_by: { percent: 10 }, ...once },
        ...{ from: { of: 'high', window: '1h' }, min_history_hours: 0.01 },
      },
      [100, 85, 100, 84, 83, 100, 82, 82],
      [
        [2, 'sent'],
        [4, 'cap'],
        [7, 'cap'],
      ],
    ],
  ];

  it.each(cases)('%s', async (_name, rule, steps, records) => {
    await pipeline.addWatch([rule]);
    const start = pipeline.clock.now;
    for (const step of steps) {
      const row = aSnapshot(pipeline.clock.now + 59_000, step === 0 || step === 1 ? 60 : step);
      const prices = { get_in: 50, get_in_qty2plus: 50, avg_price: 50, median_price: 50 };
      const zone = (zone_name: string) => ({ zone_name, ...prices });
      const zones = [zone('Balcony'), ...(step === 1 ? [zone('Floor')] : [])];
      pipeline.market.push({ ...row, zones });
      await pipeline.minute();
    }
    for (let each = 0; each < 3; each += 1) await pipeline.minute();

    const found = (await alerts()).map(({ observedAt, unsentReason = 'sent' }) => [
      Math.ceil((observedAt - start) / 60_000),
      unsentReason,
    ]);
    expect(found).toEqual(records);
  });
});

describe('no record', () => {
  it('is made of what is not reached, of no data, and of what fired', async () => {
    await pipeline.addWatch([{ ...below80, cool_down_minutes: 60 }]);
    await see(100, 74, 100, 90, null, 95);

    expect(await told()).toEqual([[74, 'sent']]);
  });

  it('is made for a watch that is not on', async () => {
    const watch = await pipeline.addWatch([{ ...below80, cool_down_minutes: 60 }]);
    await see(100, 74, 100);
    await tables.stores.watches.change(watch, { status: 'paused' }, pipeline.clock.now);
    await see(71);

    expect(await told()).toEqual([[74, 'sent']]);
  });

  it('is made twice, whatever is done again', async () => {
    await pipeline.addWatch([{ ...below80, cool_down_minutes: 60 }]);
    await see(100, 74, 100, 71);
    const feed = { eventId: 4711, kind: 'stats' } as const;
    const lease = await tables.stores.evaluations.acquire(
      feed,
      'test',
      pipeline.clock.now,
      pipeline.clock.now + 1,
    );
    expect(lease).toBeDefined();
    await tables.stores.evaluations.advance(feed, 'test', {
      evaluatedThrough: Date.parse('2026-03-01T12:02:59Z'),
      memory: { hour: 0, standings: {} },
      cursorMemory: {},
      alerts: 0,
    });
    await tables.stores.evaluations.release(feed, 'test');
    await pipeline.evaluate();

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
    ]);
  });
});
