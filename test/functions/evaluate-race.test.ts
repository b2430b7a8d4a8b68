// Two evaluators on one range of one event: the same alerts as one, each once. The lease is ignored
// here on purpose: it only saves work, and nothing may rest on it.
import { beforeEach, describe, expect, it } from 'vitest';
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { aSnapshot, createPipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

/** The stores, but the lease is always free and never lost, and the cursor stays where it is. */
function withoutLease(stores: Stores): Stores {
  const evaluations: EvaluationStore = {
    ...stores.evaluations,
    acquire: async (feed, lease) => ({
      nudges: 0,
      ...(await stores.evaluations.find(feed)),
      ...feed,
      lease,
    }),
    advance: async () => true,
    clearLate: async () => {},
    release: async () => true,
  };
  return { ...stores, evaluations };
}

const rules = [
  { type: 'level', metric: 'get_in', at_or_below: 80 },
  { type: 'level', metric: 'get_in', at_or_below: 60, repeat_every_further_percent: 5 },
  { type: 'change', metric: 'get_in', drops_by: { percent: 10 }, from: { of: 'last_alert' } },
  { type: 'any_change', metric: 'get_in', at_most_per_day: 50 },
];
const prices = [100, 79, 55, 50, 90, 70, 58, 52, 120, 75];

/** Each alert as rule and price, sorted; the ids of the alerts and of what was sent. */
async function raisedBy(evaluators: number) {
  const pipeline = await createPipeline(tables.stores);
  const watch = await pipeline.addWatch(rules);
  await pipeline.minute(110);
  for (const [second, price] of prices.entries()) {
    pipeline.market.push(aSnapshot(pipeline.clock.now + (second + 1) * 1_000, price));
  }
  pipeline.clock.now += 60_000;
  await pipeline.dispatch();
  await pipeline.loseQueue('evaluate');

  const racing = await createPipeline(withoutLease(tables.stores));
  racing.clock.now = pipeline.clock.now;
  await Promise.all(Array.from({ length: evaluators }, (_, i) => racing.evaluate(`lease-${i}`)));
  await racing.drain();
  const order = watch.rules.map(({ ruleId }) => ruleId);
  const { rows } = await tables.stores.alerts.list(watch.ownerId, { limit: 200 });
  return {
    alerts: rows.map(({ ruleId, base }) => `${order.indexOf(ruleId)}: ${base}`).sort(),
    mails: racing.sent.map(({ alert }) => alert.alertId).sort(),
    ids: rows.map(({ alertId }) => alertId).sort(),
  };
}

describe('evaluators that run at once', () => {
  it('raise what one alone raises, and deliver each alert once', async () => {
    const alone = await raisedBy(1);
    await tables.stop();
    tables = await startTestTables();
    const together = await raisedBy(3);

    expect(together.alerts).toEqual(alone.alerts);
    expect(together.mails).toEqual(together.ids);
    expect(alone.alerts.length).toBeGreaterThan(10);
  });
});
