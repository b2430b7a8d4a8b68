// Evaluating through DynamoDB (trigger index, rollups, cursor) raises the alerts and recoveries that a naive
// evaluator raises, which shares no code with it.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemError } from '#functions/api/problem.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { createPipeline } from '#test/support/pipeline.ts';
import { anyAcceptedRule, anyMarket } from '#test/support/rules/arbitraries.ts';
import { naiveAlerts, naiveRecoveries } from '#test/support/rules/naive.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

let events = 0;

interface Meanwhile {
  /** The rules of a watch that is added half-way: what it needs of the past changes what is loaded. */
  laterRules?: unknown[];
  /** Before a batch is evaluated, the API reads the series as they are after it. */
  isReadAhead?: boolean;
}

/** Shows the snapshots to a pipeline in batches; answers with the alerts and recoveries of each rule, in time order. */
async function evaluate(
  rules: unknown[],
  batches: MarketSnapshot[][],
  { laterRules = [], isReadAhead = false }: Meanwhile = {},
) {
  events += 1;
  const event = events;
  const pipeline = await createPipeline(tables.stores, { event });
  const watch = await pipeline.addWatch(rules);
  for (const [nth, batch] of batches.entries()) {
    if (nth === batches.length >> 1 && laterRules.length > 0) {
      await pipeline.addWatch(laterRules).catch(passRefused);
    }
    await tables.stores.snapshots.createAll(
      batch.map((snapshot) => ({ ...snapshot, eventId: event })),
      pipeline.clock.now,
    );
    pipeline.clock.now = batch.at(-1)?.observedAt ?? pipeline.clock.now;
    await pipeline.feedIsCurrent();
    if (isReadAhead) await readSeries(event, pipeline.clock.now);
    await pipeline.evaluate();
  }
  return watch.rules.map(({ ruleId }) => {
    const own = pipeline.raised
      .filter((alert) => alert.ruleId === ruleId)
      .sort((a, b) => a.observedAt - b.observedAt);
    const [recoveries, alerts] = [true, false].map((isBack) =>
      own.filter(({ role }) => (role === 'recovery') === isBack),
    );
    return {
      alerts: alerts?.map(({ observedAt: at, alreadyTrue }) => ({ at, alreadyTrue })) ?? [],
      recoveries:
        recoveries?.map(({ observedAt: at, earlierAt: alertAt }) => ({ at, alertAt })) ?? [],
    };
  });
}

async function readSeries(event: number, through: number): Promise<void> {
  const series = await tables.stores.triggers.seriesOf(event);
  const feed = { eventId: event, kind: 'stats' } as const;
  await createLoadHistory(tables.stores)({ feed, series, through, newest: through, now: through });
}

/** What a naive evaluator says of a rule that is made at the first snapshot. */
function naive(rule: Record<string, unknown>, snapshots: MarketSnapshot[]) {
  return {
    alerts: naiveAlerts(rule, snapshots, 0),
    recoveries: naiveRecoveries(rule, snapshots, 0),
  };
}

/** One that can be made half-way: its end is not over by then. */
const ruleOfAnyTime = anyAcceptedRule.map((rule) => ({ ...rule, expires_at: undefined }));

/** What asks for a zone that the event has not is refused, and changes nothing. */
function passRefused(error: unknown): void {
  if (!(error instanceof ProblemError)) throw error;
}

/** The first snapshot by itself, as a first poll would bring it; then batches of these sizes. */
function cut(snapshots: MarketSnapshot[], sizes: number[]): MarketSnapshot[][] {
  const batches = [snapshots.slice(0, 1)];
  for (let start = 1, i = 0; start < snapshots.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    batches.push(snapshots.slice(start, start + size));
    start += size;
  }
  return batches;
}

describe('evaluate', () => {
  it.each([
    { meanwhile: 'nothing else happens', isReadAhead: false, numRuns: 25, seed: 20261127 },
    { meanwhile: 'the API reads ahead of it', isReadAhead: true, numRuns: 40, seed: 20261201 },
  ])('raises the alerts that a naive evaluator raises, while $meanwhile', async (run) => {
    const { isReadAhead, numRuns, seed } = run;
    let raised = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAcceptedRule, { minLength: 1, maxLength: 4 }),
        anyMarket.filter((snapshots) => snapshots.length > 0),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        async (rules, snapshots, sizes) => {
          const alerts = await evaluate(rules, cut(snapshots, sizes), { isReadAhead });
          expect(alerts).toEqual(rules.map((rule) => naive(rule, snapshots)));
          raised += alerts.flatMap((own) => own.alerts).length;
        },
      ),
      { numRuns, seed },
    );
    expect(raised).toBeGreaterThan(50);
  });

  it('raises them also while another watch of the event begins to look back', async () => {
    let raised = 0;
    await fc.assert(
      fc.asyncProperty(
        anyAcceptedRule,
        ruleOfAnyTime,
        anyMarket.filter((snapshots) => snapshots.length > 3),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        async (rule, laterRule, snapshots, sizes) => {
          const alerts = await evaluate([rule], cut(snapshots, sizes), {
            laterRules: [laterRule],
          });
          expect(alerts).toEqual([naive(rule, snapshots)]);
          raised += alerts.flatMap((own) => own.alerts).length;
        },
      ),
      { numRuns: 15, seed: 20261128 },
    );
    expect(raised).toBeGreaterThan(10);
  });
});
