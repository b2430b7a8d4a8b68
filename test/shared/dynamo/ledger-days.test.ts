// The ledger's days and their stored sums: true whatever comes late, and whichever worker dies between two writes.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eachEventCount, encodeEventCounts } from '#shared/dynamo/event-counts.ts';
import { pulls as makePulls } from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { pullsOfDay } from '#shared/polling/ledger-day.ts';
import { type Pull, pullOf } from '#shared/polling/pull.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const storing = { mostRows: 100_000 };

let tables: TestTables;
/** The requests so far; `dies` makes the write of that number fail, as for a worker that dies before it. */
let asked: string[];
let dies: number | undefined;
/** Runs before the put of a row. */
let beforeRow: (() => Promise<unknown>) | undefined;
/** The first of three days; each test has its own. */
let start = Date.parse('2026-03-01T00:00:00Z');

beforeAll(async () => {
  tables = await startDynaliteTables();
});
afterAll(() => tables.stop());
beforeEach(() => {
  asked = [];
  dies = undefined;
  beforeRow = undefined;
  start += 10 * dayMs;
});

function openPulls() {
  const send = async (command: object) => {
    asked.push(command.constructor.name);
    if (command instanceof PutCommand && beforeRow && 'callId' in (command.input.Item ?? {})) {
      const run = beforeRow;
      beforeRow = undefined;
      await run();
    }
    if (/Put|Update/.test(command.constructor.name) && dies !== undefined) {
      dies -= 1;
      if (dies < 0) throw new Error('the worker died');
    }
    return tables.client.send(command as never);
  };
  const client = Object.create(tables.client, { send: { value: send } });
  return openStores(client, tables.names, { pulls: makePulls }).pulls;
}

const row = (claim: string, at: number, facts: Partial<Pull> = {}): Pull => ({
  ...pullOf({
    ...{ claim, eventId: 7, kind: 'stats', pulls: 1, reason: 'test', state: 'settled' },
    ...{ pulledAt: at, watches: 1 },
  }),
  ...facts,
});
const sumsAt = async (now: number, from = start) =>
  (await openPulls().days(from, now, { storing }))?.map(pullsOfDay);

describe('a closed day', () => {
  it('is read with one request once it was added up, and by event too', async () => {
    const pulls = openPulls();
    await pulls.create(row('a', start + hourMs, { pulls: 2 }));
    await pulls.create(row('b', start + hourMs, { eventId: 9, state: 'unsettled' }));
    const now = start + dayMs + 20 * minuteMs;
    await sumsAt(now);
    asked = [];

    const events: unknown[] = [];
    const eachEvent = (day: string, eventId: number, count: number) => {
      events.push([day.slice(8), eventId, count]);
    };
    const [day, today] = (await openPulls().days(start, now, { eachEvent })) ?? [];
    expect([day && pullsOfDay(day), today && pullsOfDay(today)]).toEqual([3, 0]);
    expect(day?.lost).toMatchObject([{ callId: 'stats#9#b', pulls: 1, pulledAt: start + hourMs }]);
    expect(events.map((each) => (each as unknown[]).slice(1))).toEqual([
      [7, 2],
      [9, 1],
    ]);
    // The sum of the closed day; of today the missing sum and its rows.
    expect(asked).toEqual(['GetCommand', 'GetCommand', 'QueryCommand']);
  });

  it('is not stored while a worker that began in time may still write', async () => {
    await openPulls().create(row('a', start + hourMs));
    expect(await sumsAt(start + dayMs + 10 * minuteMs)).toEqual([1, 0]);
    await openPulls().create(row('b', start + dayMs - 1));
    expect(await sumsAt(start + dayMs + 20 * minuteMs)).toEqual([2, 0]);
  });

  it('has a lost call that is recorded days later', async () => {
    await openPulls().create(row('a', start + hourMs));
    expect(await sumsAt(start + dayMs + hourMs)).toEqual([1, 0]);
    await openPulls().create(row('lost', start + 2 * hourMs), start + 2 * dayMs);
    expect(await sumsAt(start + 2 * dayMs + 1)).toEqual([2, 0, 0]);
    expect(await sumsAt(start + 2 * dayMs + hourMs)).toEqual([2, 0, 0]);
  });

  it('is not stored between the mark of a late row and the row', async () => {
    await openPulls().create(row('a', start + hourMs));
    const late = start + dayMs + hourMs;
    await sumsAt(late);
    const between: unknown[] = [];
    beforeRow = async () => between.push(await sumsAt(late + 10_000));
    await openPulls().create(row('lost', start + 2 * hourMs), late);
    expect(between).toEqual([[1, 0]]);
    expect(await sumsAt(late + minuteMs)).toEqual([2, 0]);
  });

  it('has a late row whose worker died after its mark, once another has written it', async () => {
    await openPulls().create(row('a', start + hourMs));
    const late = start + dayMs + hourMs;
    await sumsAt(late);
    dies = 1;
    const lost = row('lost', start + 2 * hourMs);
    await expect(openPulls().create(lost, late + minuteMs)).rejects.toThrow('the worker died');
    dies = undefined;
    expect(await sumsAt(late + minuteMs + 1)).toEqual([1, 0]);
    await openPulls().create(lost, late + 2 * minuteMs);
    expect(await sumsAt(late + 3 * minuteMs)).toEqual([2, 0]);
    expect(await sumsAt(late + hourMs)).toEqual([2, 0]);
  });

  it('has the corrected costs of lost calls', async () => {
    const pulls = openPulls();
    const lost = row('lost', start + hourMs, { state: 'unsettled', pulls: 3, mostPulls: 3 });
    await pulls.create(lost);
    const late = start + dayMs + hourMs;
    expect(await sumsAt(late)).toEqual([3, 0]);
    await pulls.correct([{ ...lost, pulls: 1 }], late);
    expect(await sumsAt(late + 1)).toEqual([1, 0]);
    expect(await sumsAt(late + hourMs)).toEqual([1, 0]);
  });

  it('is counted from a time on, and anew for another time', async () => {
    const pulls = openPulls();
    await pulls.create(row('a', start + hourMs));
    await pulls.create(row('b', start + 3 * hourMs));
    const now = start + dayMs + hourMs;
    expect(await sumsAt(now, start + 2 * hourMs)).toEqual([1, 0]);
    expect(await sumsAt(now, start + 2 * hourMs)).toEqual([1, 0]);
    expect(await sumsAt(now)).toEqual([2, 0]);
  });

  it('is counted again after a day, in case an earlier release wrote a row without a mark', async () => {
    const pulls = openPulls();
    await pulls.create(row('a', start + hourMs));
    const now = start + dayMs + hourMs;
    await sumsAt(now);
    // As an earlier release does: recorded as if the call was still running.
    await pulls.create(row('late', start + 2 * hourMs));
    expect(await sumsAt(now + hourMs)).toEqual([1, 0]);
    expect((await sumsAt(now + 25 * hourMs))?.[0]).toBe(2);
  });
});

it('counts as many days as one run has time for, and the others in the next runs', async () => {
  const pulls = openPulls();
  for (const day of [0, 1, 2]) await pulls.create(row(`day-${day}`, start + day * dayMs + hourMs));
  const now = start + 3 * dayMs + hourMs;
  const run = () => openPulls().days(start, now, { storing: { mostRows: 0 } });
  const runs = [await run(), await run(), await run(), await run()];
  expect(runs.map((days) => days?.map(pullsOfDay))).toEqual([
    undefined,
    undefined,
    undefined,
    [1, 1, 1, 0],
  ]);
});

it('never counts a call twice or misses one, whatever comes late and whoever dies', async () => {
  const step = fc.record({
    what: fc.constantFrom('create', 'correct', 'sum'),
    call: fc.integer({ min: 0, max: 5 }),
    pulls: fc.integer({ min: 0, max: 3 }),
    afterMs: fc.integer({ min: 0, max: 2 * hourMs }),
    diesAfter: fc.constantFrom(undefined, undefined, 0, 1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      start += 10 * dayMs;
      let now = start + 22 * hourMs;
      for (const { what, call, pulls, afterMs, diesAfter } of steps) {
        now += afterMs;
        const lost = row(`c${call}`, start + call * hourMs, {
          state: 'unsettled',
          pulls,
          mostPulls: 3,
        });
        dies = diesAfter;
        const work =
          what === 'sum'
            ? sumsAt(now)
            : what === 'create'
              ? openPulls().create(lost, now)
              : openPulls().correct([lost], now);
        await Promise.resolve(work).catch(() => undefined);
        dies = undefined;
      }
      const rows = await openPulls().ofDay(lostDay());
      const expected = rows.reduce((sum, each) => sum + each.pulls, 0);
      expect((await sumsAt(now))?.[0]).toBe(expected);
    }),
    { numRuns: 40 },
  );
});

const lostDay = () => new Date(start).toISOString().slice(0, 10);

it('keeps the pulls by event in some three bytes each', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.nat(100_000)), {
        selector: ([eventId]) => eventId,
      }),
      (counts) => {
        const found: [number, number][] = [];
        eachEventCount(
          encodeEventCounts(new Map(counts)),
          (id, pulls) => void found.push([id, pulls]),
        );
        expect(found).toEqual(counts.toSorted(([a], [b]) => a - b));
      },
    ),
  );
  const dense = new Map(Array.from({ length: 33_000 }, (_, n) => [300_000_000 + n * 97, 1]));
  expect(encodeEventCounts(dense).length).toBeLessThan(70_000);
});
