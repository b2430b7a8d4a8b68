// From a falling price to a sent message, step by step over real tables.
import { beforeEach, describe, expect, it } from 'vitest';
import { aSnapshot, createPipeline, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };

let tables: TestTables;
let pipeline: Pipeline;

beforeEach(async () => {
  tables = await startTestTables();
  pipeline = await createPipeline(tables.stores);
  return () => tables.stop();
});

const sentValues = () => pipeline.sent.map(({ alert }) => alert.value);

describe('a level rule', () => {
  it('alerts once when the price reaches the level, and not again while it stays there', async () => {
    await pipeline.addWatch([below80]);
    for (const price of [100, 80, 75]) await pipeline.minute(price);

    expect(sentValues()).toEqual([8_000]);
  });

  it('alerts again after the price went back above the level by the margin', async () => {
    await pipeline.addWatch([below80]);
    for (const price of [100, 79, 81, 79, 83, 78]) await pipeline.minute(price);

    expect(sentValues()).toEqual([7_900, 7_800]);
  });

  it('alerts at once, and says so, when it is true already', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.minute(70);

    expect(pipeline.sent.map(({ alert }) => [alert.value, alert.alreadyTrue])).toEqual([
      [7_000, true],
    ]);
  });

  it('is held against the present, not against what happened before it was made', async () => {
    await pipeline.addWatch([{ ...below80, at_or_below: 10 }]);
    for (const price of [100, 60, 100]) await pipeline.minute(price);
    await pipeline.addWatch([below80]);
    await pipeline.minute();

    expect(sentValues()).toEqual([]);
  });

  it('tells every further step of a rise that one run catches up on, after an earlier one', async () => {
    await pipeline.addWatch([
      { type: 'level', metric: 'get_in', at_or_above: 100, repeat_every_further_percent: 2 },
    ]);
    for (const price of [90, 110]) await pipeline.minute(price);
    for (const price of [90, 110, 115, 120]) {
      pipeline.clock.now += 1_000;
      pipeline.market.push(aSnapshot(pipeline.clock.now, price));
    }
    pipeline.clock.now += 600_000;
    await pipeline.minute();

    expect(sentValues()).toEqual([11_000, 11_000, 11_500, 12_000]);
  });

  it('misses nothing that happened between two polls', async () => {
    await pipeline.addWatch([below80], { latency_seconds: 600 });
    await pipeline.minute(100);
    for (const price of [70, 100, 60, 100]) {
      pipeline.clock.now += 1_000;
      pipeline.market.push(aSnapshot(pipeline.clock.now, price));
    }
    pipeline.clock.now += 600_000;
    await pipeline.minute();

    expect(sentValues()).toEqual([7_000, 6_000]);
  });

  it('neither fires nor re-arms while nothing is for sale', async () => {
    await pipeline.addWatch([below80]);
    for (const price of [100, 79, null, 78]) await pipeline.minute(price);

    expect(sentValues()).toEqual([7_900]);
  });

  it('says nothing again after an outage, nor after weeks at the same price (B36, B108)', async () => {
    await pipeline.addWatch([below80]);
    for (const price of [100, 74]) await pipeline.minute(price);
    for (let tick = 0; tick < 12; tick += 1) await pipeline.minute();
    await pipeline.minute(74);
    pipeline.clock.now += 45 * 86_400_000;
    for (const price of [74, 74]) await pipeline.minute(price);

    expect(sentValues()).toEqual([7_400]);
  });

  it('freezes what it saw: value, the value before, level, and both times', async () => {
    await pipeline.addWatch([below80]);
    for (const price of [100, 74]) await pipeline.minute(price);

    expect(pipeline.raised).toMatchObject([
      {
        eventName: 'Event 4711',
        sentence: 'Get-in at or below $80',
        value: 7_400,
        previousBase: 10_000,
        earlierAt: Date.parse('2026-03-01T12:00:59Z'),
        level: 8_000,
        observedAt: Date.parse('2026-03-01T12:01:59Z'),
        firedAt: Date.parse('2026-03-01T12:02:00Z'),
      },
    ]);
  });
});

describe('the promise of two minutes', () => {
  it('counts from the refresh, later by what the watch allows', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.addWatch([below80], { latency_seconds: 3_600 });
    for (const price of [100, 74]) await pipeline.minute(price);

    expect(pipeline.raised.map(({ promisedFrom }) => promisedFrom).sort()).toEqual([
      Date.parse('2026-03-01T12:01:59Z'),
      Date.parse('2026-03-01T13:00:59Z'),
    ]);
    const [{ alertId = '' } = {}] = pipeline.raised;
    const stored = await tables.stores.alerts.find(alertId);
    expect(stored?.promisedFrom).toBe(pipeline.raised[0]?.promisedFrom);
  });

  it('is not made for a rule that is already true, nor after a wait for a cap', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.minute(70);
    await pipeline.minute(100);
    pipeline.clock.now += 60_000;
    pipeline.market.push(aSnapshot(pipeline.clock.now - 1_000, 60));
    await pipeline.dispatch();
    Object.assign(pipeline.queues.poll[0] ?? {}, { heldByBudget: true });
    await pipeline.drain();

    expect(pipeline.raised.map(({ base, promisedFrom }) => [base, promisedFrom])).toEqual([
      [7_000, undefined],
      [6_000, undefined],
    ]);
  });
});

describe('polling', () => {
  it('polls an event once, however many watch it', async () => {
    for (let watcher = 0; watcher < 5; watcher += 1) await pipeline.addWatch([below80]);

    expect(await pipeline.dispatch()).toMatchObject({ dispatched: 1, lost: 0 });
  });

  it('dispatches a feed once when a schedule fires twice', async () => {
    await pipeline.addWatch([below80]);
    const [first, second] = await Promise.all([pipeline.dispatch(), pipeline.dispatch()]);

    expect(first.dispatched + second.dispatched).toBe(1);
    expect(pipeline.queues.poll).toHaveLength(1);
  });

  it('takes a feed back when its worker died', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.dispatch();
    pipeline.queues.poll.length = 0;
    pipeline.clock.now += 5 * 60_000;

    expect(await pipeline.dispatch()).toMatchObject({ dispatched: 1, lost: 0 });
  });
});

describe('reconcile', () => {
  it('resumes a delivery whose message was lost, once it is overdue', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.minute(100);
    pipeline.market.push(aSnapshot(pipeline.clock.now, 70));
    pipeline.clock.now += 60_000;
    await pipeline.dispatch();
    await pipeline.loseQueue('email');
    expect(await pipeline.reconcile()).toEqual({ deliveries: 0, events: 0 });

    pipeline.clock.now += 31_000;
    expect(await pipeline.reconcile()).toEqual({ deliveries: 1, events: 0 });
    await pipeline.drain();

    expect(sentValues()).toEqual([7_000]);
  });

  it('nudges an event whose evaluation was lost', async () => {
    await pipeline.addWatch([below80]);
    await pipeline.minute(100);
    pipeline.market.push(aSnapshot(pipeline.clock.now, 70));
    pipeline.clock.now += 60_000;
    await pipeline.dispatch();
    await pipeline.loseQueue('evaluate');

    expect(await pipeline.reconcile()).toEqual({ deliveries: 0, events: 1 });
    await pipeline.drain();

    expect(sentValues()).toEqual([7_000]);
  });
});
