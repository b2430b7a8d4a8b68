// What a rule's own limits keep back: one record for each alert that would have been, and none for
// anything else, however often the work is done again.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { createPipeline, ownerId, type Pipeline } from '#test/support/pipeline.ts';
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
      sentence: 'Get-in at or below $80.00; at most once in 60 minutes',
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

  it('leaves one record an arming where a condition goes with the level', async () => {
    const few = { type: 'supply', metric: 'total_listings_active', at_or_below: 40 };
    await pipeline.addWatch([{ ...rule, all_of: [few] }]);
    await see(100, 74, 100, 71, 71, 70);

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
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
    });
    await tables.stores.evaluations.release(feed, 'test');
    await pipeline.evaluate();

    expect(await told()).toEqual([
      [74, 'sent'],
      [71, 'cool_down'],
    ]);
  });
});
