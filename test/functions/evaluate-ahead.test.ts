// Others read the same series ahead of an evaluation that lags: the API, the event's other feed, another shard. They
// roll its hours up first, and the evaluation must not see what is later than its own place.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoadHistory } from '#shared/dynamo/history.ts';
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

async function store(minute: number, getIn: number): Promise<void> {
  const at = startMs + minute * minuteMs;
  pipeline.clock.now = at;
  const snapshot = snapshotFromStats(event, aSnapshot(at, getIn));
  await tables.stores.snapshots.createAll([snapshot], at);
  await pipeline.feedIsCurrent();
}

/** Reads what the event's rules look at, as it is at a minute. */
async function readAt(minute: number, kind: 'stats' | 'listings'): Promise<void> {
  const through = startMs + minute * minuteMs;
  const series = await tables.stores.triggers.seriesOf(event);
  const feed = { eventId: event, kind };
  await createLoadHistory(tables.stores)({ feed, series, through, newest: through, now: through });
}

const raised = () =>
  pipeline.raised.map(({ observedAt, base }) => [(observedAt - startMs) / minuteMs, base / 100]);

const newLow = (within: string) => ({
  ...{ type: 'extreme', metric: 'get_in', new: 'low', within },
  min_history_hours: 0.1,
});

describe.each(['stats', 'listings'] as const)(
  'an evaluation behind a reader of the %s feed',
  (kind) => {
    it.each(['ever', '6h'])('raises a new low of %s in an hour that is over', async (within) => {
      await pipeline.addWatch([newLow(within)]);
      await store(1, 110);
      await pipeline.evaluate();
      await store(50, 90);
      await store(61, 100);
      await readAt(61, kind);
      await store(62, 95);
      await pipeline.evaluate();

      expect(raised()).toEqual([[50, 90]]);
    });

    it('raises the next lows too, once it has caught up', async () => {
      await pipeline.addWatch([newLow('ever')]);
      await store(1, 110);
      await pipeline.evaluate();
      await store(50, 90);
      await store(61, 80);
      await store(125, 100);
      await readAt(125, kind);
      await pipeline.evaluate();
      await store(126, 85);
      await pipeline.evaluate();
      await store(127, 70);
      await pipeline.evaluate();

      expect(raised()).toEqual([
        [50, 90],
        [61, 80],
        [127, 70],
      ]);
    });
  },
);
