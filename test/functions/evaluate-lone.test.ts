// One listing far under the rest, from the stored snapshots to the stored alert.
import { describe, expect, it } from 'vitest';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, createPipeline, eventId, startMs } from '#test/support/pipeline.ts';
import { startTestTables } from '#test/support/tables.ts';

type Seen = [minute: number, getIn: number, median: number];

/** The stored alerts of a rule; each snapshot is evaluated in a run of its own. */
async function alertsAfter(rule: object, snapshots: Seen[]) {
  const { stores, stop } = await startTestTables();
  const pipeline = await createPipeline(stores);
  await pipeline.addWatch([rule]);
  for (const [minute, getIn, median] of snapshots) {
    const at = startMs + minute * 60_000;
    pipeline.clock.now = at;
    const stats = { ...aSnapshot(at, getIn), median_price: median };
    await stores.snapshots.createAll([snapshotFromStats(eventId, stats)], at);
    await pipeline.feedIsCurrent();
    await pipeline.evaluate();
  }
  const alerts = await Promise.all(
    pipeline.raised.map(({ alertId }) => stores.alerts.find(alertId)),
  );
  await stop();
  return alerts;
}

describe('an alert about one listing far under the rest', () => {
  it.each([
    ['when the median stays', 200, { confirmations: 1 }],
    ['not when the median falls too', 120, undefined],
  ])('says so %s', async (_, medianAfter, lone) => {
    const rule = { type: 'level', metric: 'get_in', at_or_below: 60 };
    const before: Seen[] = [
      [1, 110, 200],
      [2, 111, 200],
      [70, 110, 201],
    ];
    const alerts = await alertsAfter(rule, [...before, [71, 50, medianAfter]]);
    expect(alerts.map((alert) => [alert?.base, alert?.loneListing])).toEqual([[5_000, lone]]);
  });
});
