// Snapshots that are stored after later ones were matched: they are matched in their own place, and no
// alert is raised twice.
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, createPipeline, type Pipeline, startMs } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const minuteMs = 60_000;
let tables: TestTables;
let event = 0;
let pipeline: Pipeline;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());
beforeEach(async () => {
  event += 1;
  pipeline = await createPipeline(tables.stores, { event });
});

const key = () => ({ eventId: event, kind: 'stats' }) as const;
const store = (minute: number, getIn: number) =>
  tables.stores.snapshots.createAll(
    [snapshotFromStats(event, aSnapshot(startMs + minute * minuteMs, getIn))],
    startMs,
  );

/** Stores a snapshot that the market has at a minute of the run, as a poll does, and evaluates. */
async function see(minute: number, getIn: number): Promise<void> {
  pipeline.clock.now = Math.max(pipeline.clock.now, startMs + minute * minuteMs);
  await store(minute, getIn);
  await pipeline.feedIsCurrent();
  await pipeline.evaluate();
}

async function seeLate(minute: number, getIn: number): Promise<void> {
  await store(minute, getIn);
  await tables.stores.evaluations.noteLate(key(), startMs + minute * minuteMs);
  await pipeline.evaluate();
}

const raised = () =>
  pipeline.raised.map(({ observedAt, base }) => [(observedAt - startMs) / minuteMs, base / 100]);

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };

describe('a snapshot that comes late', () => {
  it('raises its alert, though later ones were matched', async () => {
    await pipeline.addWatch([below80]);
    await see(1, 100);
    await see(30, 100);
    await seeLate(20, 70);
    await see(31, 100);

    expect(raised()).toEqual([[20, 70]]);
  });

  it('repeats no alert of later ones, and re-arms nothing that they left fired', async () => {
    await pipeline.addWatch([below80]);
    await see(1, 100);
    await see(30, 70);
    await seeLate(20, 75);
    await seeLate(10, 100);
    await see(31, 70);

    expect(raised()).toEqual([[30, 70]]);
  });

  it('counts in the windows of later ones, also across an hour', async () => {
    await pipeline.addWatch([
      {
        type: 'change',
        metric: 'get_in',
        drops_by: { percent: 25 },
        from: { of: 'high', window: '6h' },
        min_history_hours: 2,
      },
    ]);
    await see(1, 100);
    await see(150, 100);
    await see(151, 100);
    await seeLate(118, 130);
    await see(152, 97);

    expect(raised()).toEqual([[152, 97]]);
  });

  it('is matched when it is noted while others still wait', async () => {
    await pipeline.addWatch([below80]);
    await see(1, 100);
    await see(30, 100);
    await store(20, 100);
    await tables.stores.evaluations.noteLate(key(), startMs + 20 * minuteMs);
    await store(25, 70);
    await tables.stores.evaluations.noteLate(key(), startMs + 25 * minuteMs);
    await pipeline.evaluate();

    expect(raised()).toEqual([[25, 70]]);
    expect((await tables.stores.evaluations.find(key()))?.lateFrom).toBeUndefined();
  });

  it('never gives one crossing two alerts, in whatever order snapshots come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ getIn: fc.constantFrom(60, 70, 100, 120), late: fc.boolean() }), {
          minLength: 3,
          maxLength: 8,
        }),
        async (snapshots) => {
          event += 1;
          pipeline = await createPipeline(tables.stores, { event });
          await pipeline.addWatch([below80]);
          await see(1, 100);
          const later: { minute: number; getIn: number }[] = [];
          for (const [index, { getIn, late }] of snapshots.entries()) {
            const minute = 10 * (index + 1);
            if (late) later.push({ minute, getIn });
            else await see(minute, getIn);
          }
          for (const { minute, getIn } of later) await seeLate(minute, getIn);
          const times = raised().map(([minute]) => minute);
          expect(new Set(times).size).toBe(times.length);
          expect(new Set(pipeline.raised.map(({ alertId }) => alertId)).size).toBe(times.length);
        },
      ),
      { numRuns: 8, seed: 20261128 },
    );
  }, 120_000);
});
