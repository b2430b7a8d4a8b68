// How an evaluation run begins, shares, stops and goes on.
import { beforeEach, describe, expect, it } from 'vitest';
import { createCatchUp } from '#functions/evaluate/catch-up.ts';
import { createEvaluate } from '#functions/evaluate/evaluate.ts';
import { createMatchStep } from '#functions/evaluate/match-step.ts';
import { createTriggerFaults } from '#functions/evaluate/set-trigger-aside.ts';
import { createLoadHistory, type LoadHistory } from '#shared/dynamo/history.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createTriggerStore, type TriggerStore } from '#shared/dynamo/triggers.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Transition } from '#shared/rules/match.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { aSnapshot, eventId, ownerId, startMs } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const feed = { eventId, kind: 'stats' } as const;
const plentyMs = 60_000;

let tables: TestTables;
beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

/** Evaluate over real tables; what fires is kept instead of sent. */
function createRun(
  remainingMs: () => number = () => plentyMs,
  triggers: TriggerStore = tables.stores.triggers,
  loadHistory: LoadHistory = createLoadHistory(tables.stores),
) {
  const { stores } = tables;
  const fired: Transition[] = [];
  const nudges: unknown[] = [];
  const evaluate = createEvaluate({
    evaluations: stores.evaluations,
    catchUp: createCatchUp({
      snapshots: stores.snapshots,
      advance: stores.evaluations.advance,
      clearLate: stores.evaluations.clearLate,
      seriesOf: triggers.seriesOf,
      triggersOf: ({ eventId: event, shard }) => triggers.forEvent(event, { shard }),
      shardsOf: triggers.shardsOf,
      nudgeShards: async () => {},
      loadHistory,
      chartsOf: () => async () => undefined,
      findFeed: async () => undefined,
      findEventStart: async () => null,
      askForEdits: async () => ({}),
      matchStep: createMatchStep({
        applyMove: async (move, { triggers: moving }) => {
          if (move.decision.kind === 'retire') return 0;
          await moving.move(move.decision.next);
          fired.push(move);
          return 1;
        },
        recordSilence: async () => {},
        latest: stores.snapshots.latest,
        faults: createTriggerFaults({ watches: stores.watches, release: 'test' }),
      }),
    }),
    sendNudge: async (message) => void nudges.push(message),
  });
  const run = (lease = 'lease') => evaluate(feed, lease, { now: () => startMs, remainingMs });
  return { run, fired, nudges };
}

/** Stores snapshots a second apart, after a first one that is where evaluation begins. */
async function show(...getIns: number[]): Promise<void> {
  const rows = [1_000, ...getIns].map((getIn, second) =>
    snapshotFromStats(eventId, aSnapshot(startMs + second * 1_000, getIn)),
  );
  await tables.stores.snapshots.createAll(rows.slice(0, 1), startMs);
  await createRun().run('first');
  await tables.stores.snapshots.createAll(rows, startMs);
}

/** Armed triggers of as many watchers, all at a level of 500 dollars. */
async function arm(count: number): Promise<void> {
  const [spec] = compileRule({ type: 'level', metric: 'get_in', at_or_below: 500 });
  if (!spec) throw new Error('a level rule has one trigger');
  for (let watcher = 1; watcher <= count; watcher += 1) {
    const names = { watchId: 'wat', ruleId: 'rul', ownerId, eventId };
    const trigger = createTrigger(spec, { triggerId: `trg_${watcher}`, ...names }, startMs);
    await tables.stores.triggers.create({ ...trigger, state: 'armed' });
  }
}

describe('an evaluation', () => {
  it('walks every snapshot after the cursor, and none twice', async () => {
    await show(...Array.from({ length: 120 }, (_, i) => 900 - i));

    expect(await createRun().run()).toMatchObject({ outcome: 'done', snapshots: 120 });
    expect(await createRun().run()).toMatchObject({ outcome: 'done', snapshots: 0 });
  });

  it('leaves a feed to the evaluator that holds it, which looks again because it was nudged', async () => {
    await show(900);
    const held = await tables.stores.evaluations.acquire(feed, 'other', startMs, startMs + 90_000);

    expect(await createRun().run()).toMatchObject({ outcome: 'held_by_another', snapshots: 0 });
    const isReleased = await tables.stores.evaluations.release(feed, 'other', held?.nudges);
    expect(isReleased).toBe(false);
  });

  it('takes over from an evaluator whose lease ran out', async () => {
    await show(900);
    await tables.stores.evaluations.acquire(feed, 'dead', startMs - 90_000, startMs);

    expect(await createRun().run()).toMatchObject({ outcome: 'done', snapshots: 1 });
  });

  it('stops while there is time left, lets go and nudges itself; the next run goes on', async () => {
    await show(400);
    await arm(40);
    let asked = 0;
    const short = createRun(() => {
      asked += 1;
      return asked > 2 ? 10_000 : plentyMs;
    });

    expect(await short.run()).toMatchObject({ outcome: 'continued', alerts: 16 });
    expect(short.nudges).toEqual([feed]);
    expect(await createRun().run()).toMatchObject({ outcome: 'done', alerts: 24 });
  });

  it('fails as a whole where the history can’t be read just now, so that it is retried', async () => {
    await show(400);
    await arm(1);
    const busy = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const { run, fired } = createRun(undefined, undefined, async () => {
      throw busy;
    });
    await expect(run()).rejects.toBe(busy);
    expect(fired).toEqual([]);
    // The retry does not wait for the lease.
    expect(await createRun().run('next')).toMatchObject({ outcome: 'done', alerts: 1 });
  });

  it('leaves out a series that this release can’t read, and reports it', async () => {
    await show(400);
    await arm(1);
    const { triggers } = tables.stores;
    const seriesOf = async (id: number) => [...(await triggers.seriesOf(id)), 'stats/of/tomorrow'];
    const reports: FaultReport[] = [];
    const stopListening = listenForFaults((report) => reports.push(report));
    const { run } = createRun(undefined, { ...triggers, seriesOf });
    expect(await run()).toMatchObject({ outcome: 'done', alerts: 1 });
    stopListening();
    const ids = { eventId, series: 'stats/of/tomorrow' };
    expect(reports).toMatchObject([{ thing: 'evaluation_history', ids }]);
  });

  it('fires every trigger of a snapshot that reaches more than one reading takes', async () => {
    await show(400);
    await arm(40);
    const table = createWatchlistTable(tables.client, tables.names.WATCHLIST_TABLE);
    const { run, fired } = createRun(() => plentyMs, createTriggerStore(table, { rangeLimit: 15 }));

    expect(await run()).toMatchObject({ outcome: 'done', alerts: 40 });
    expect(new Set(fired.map(({ trigger }) => trigger.triggerId)).size).toBe(40);
  });
});
