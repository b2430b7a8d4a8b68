// What a rule with `tell_recovery` tells when its number goes back: one message for each alert that was
// raised, and none for anything else, however often the work is done again.
import { beforeEach, describe, expect, it } from 'vitest';
import { createPipeline, ownerId, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let pipeline: Pipeline;

beforeEach(async () => {
  tables = await startTestTables();
  pipeline = await createPipeline(tables.stores);
  return () => tables.stop();
});

const rule = { type: 'level', metric: 'get_in', at_or_below: 80, tell_recovery: true };
const alerts = async () =>
  (await tables.stores.alerts.list(ownerId, { limit: 200 })).rows.toReversed();
/** What was told or kept back, in dollars. */
const told = async () =>
  (await alerts()).map(({ base, role, unsentReason = role }) => [base / 100, unsentReason]);
const see = async (...getIns: (number | null)[]) => {
  for (const getIn of getIns) await pipeline.minute(getIn);
  // A feed that has shown its rhythm is not polled each minute.
  for (let each = 0; each < 3; each += 1) await pipeline.minute();
};

describe('a recovery', () => {
  it('is told once for each alert, with its own id and the number of the alert', async () => {
    await pipeline.addWatch([rule]);
    await see(100, 74, 81, 90, 95, 71, 92);

    expect(await told()).toEqual([
      [74, 'main'],
      [90, 'recovery'],
      [71, 'main'],
      [92, 'recovery'],
    ]);
    const [fired, back] = await alerts();
    expect(back).toMatchObject({
      alertId: `${fired?.alertId}_r`,
      ...{ series: 'stats/get_in', value: 9_000, level: 8_000, askedLevel: 8_000 },
      ...{ previousBase: 7_400, earlierAt: fired?.observedAt, isUrgent: false },
      channelIds: fired?.channelIds,
      sentence: 'Get-in at or below $80; also when it went back after an alert',
    });
    expect(pipeline.sent.map(({ alert }) => alert.base)).toEqual([7_400, 9_000, 7_100, 9_200]);
  });

  it('is neither stopped nor counted by the limits of the rule', async () => {
    await pipeline.addWatch([{ ...rule, at_most_per_day: 2 }]);
    await see(100, 74, 90, 71, 95, 70, 95);

    expect(await told()).toEqual([
      [74, 'main'],
      [90, 'recovery'],
      [71, 'main'],
      [95, 'recovery'],
      [70, 'cap'],
    ]);
  });

  it('does not begin a cool-down, and a crossing that a cool-down kept silent has none', async () => {
    await pipeline.addWatch([{ ...rule, cool_down_minutes: 4 }]);
    await see(100, 74, 90, 71, 95, 95, 70);

    expect(await told()).toEqual([
      [74, 'main'],
      [90, 'recovery'],
      [71, 'cool_down'],
      [70, 'main'],
    ]);
  });

  it('of an urgent rule is not urgent', async () => {
    await pipeline.addWatch([{ ...rule, urgent: true }]);
    await see(100, 74, 90);

    expect((await alerts()).map(({ isUrgent }) => isUrgent)).toEqual([true, false]);
  });

  it.each([
    ['paused', { status: 'paused' as const }],
    ['ended', { status: 'ended' as const }],
  ])('is not told for a watch that was %s meanwhile', async (_, change) => {
    // Another watch keeps the event polled.
    await pipeline.addWatch([{ ...rule, at_or_below: 1 }]);
    const watch = await pipeline.addWatch([rule]);
    await see(100, 74);
    const current = await tables.stores.watches.find(watch.watchId);
    if (!current) throw new Error('the watch is gone');
    await tables.stores.watches.change(current, change, pipeline.clock.now);
    await see(90, 95);

    expect(await told()).toEqual([[74, 'main']]);
    const [triggerId = ''] = watch.rules[0]?.triggerIds ?? [];
    expect((await tables.stores.triggers.find(triggerId))?.state).toBe('armed');
  });

  it('of a snooze is recorded and not sent', async () => {
    const watch = await pipeline.addWatch([rule]);
    await see(100, 74);
    const current = await tables.stores.watches.find(watch.watchId);
    if (!current) throw new Error('the watch is gone');
    const snoozedUntil = pipeline.clock.now + 3_600_000;
    await tables.stores.watches.change(current, { snoozedUntil }, pipeline.clock.now);
    await see(90);

    expect(await told()).toEqual([
      [74, 'main'],
      [90, 'recovery'],
    ]);
    expect(pipeline.sent).toHaveLength(1);
  });

  it('is not told again when the same snapshots are evaluated again', async () => {
    const watch = await pipeline.addWatch([rule]);
    await see(100, 74);
    const [triggerId = ''] = watch.rules[0]?.triggerIds ?? [];
    const fired = await tables.stores.triggers.find(triggerId);
    await see(90);
    if (!fired) throw new Error('the trigger is gone');
    // As after a crash before the trigger's own write.
    await tables.stores.triggers.edit(triggerId, () => fired);
    await see(91);

    expect(await told()).toEqual([
      [74, 'main'],
      [90, 'recovery'],
    ]);
    expect(pipeline.sent).toHaveLength(2);
  });
});
