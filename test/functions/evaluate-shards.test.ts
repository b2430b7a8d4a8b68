// An event whose watches are in several shards: the same alerts as in one, each once, whatever crashes or gets lost.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { aSnapshot, createPipeline, type Pipeline, startMs } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const minuteMs = 60_000;
let tables: TestTables;
let event = 0;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());
beforeEach(() => {
  event += 1;
});

const level = (at: number) => ({ type: 'level', metric: 'get_in', at_or_below: at });
/** One watch each; those with two triggers share their limits. */
const watches = [
  [level(80)],
  [level(75), { ...level(60), repeat_every_further_percent: 5 }],
  [{ ...level(70), on_no_data: 'alert', cool_down_minutes: 1 }],
];
const prices = [100, 79, 55, null, 50, 90, 70, 58, 120, 75];

/** Makes the watches; with `shards`, so many other triggers after each that the next is in another shard. */
async function makeWatches(
  pipeline: Pipeline,
  { shards, count = watches.length }: { shards: boolean; count?: number },
) {
  const made = [];
  for (const rules of watches.slice(0, count)) {
    if (shards && made.length > 0) await tables.stores.triggers.place(event, 1_000);
    made.push(await pipeline.addWatch(rules));
  }
  await pipeline.drain();
  return made;
}

/** The rule and the price of each alert. */
const toldBy = ({ raised, sent }: Pipeline, made: { rules: { ruleId: string }[] }[]) => {
  const rules = made.flatMap((watch) => watch.rules.map(({ ruleId }) => ruleId));
  const names = raised.map(({ ruleId, value }) => `${rules.indexOf(ruleId)}: ${value}`).sort();
  return {
    names,
    ids: raised.map(({ alertId }) => alertId).sort(),
    sent: sent.map(({ alert }) => alert.alertId).sort(),
  };
};

/** The snapshots at once, and one evaluation of them. */
async function catchUp(pipeline: Pipeline): Promise<void> {
  await pipeline.minute(110);
  for (const [second, price] of prices.entries()) {
    pipeline.market.push(aSnapshot(pipeline.clock.now + (second + 1) * 1_000, price));
  }
  await pipeline.minute();
}

/** A crash ends the process, so nothing may take it for a fault of the trigger at hand. */
class Crash extends Error {
  override readonly name = 'AbortError';
}

/** The snapshots reach evaluate, which crashes after one of its steps; then redelivery, and reconcile. */
async function crashAt(step: number) {
  event += 1;
  let steps = Number.POSITIVE_INFINITY;
  const pipeline = await createPipeline(tables.stores, {
    event,
    afterStep: (name) => {
      if (!/^(evaluations|send to evaluate|triggers.move)/.test(name)) return;
      steps += 1;
      if (steps === step) throw new Crash(name);
    },
  });
  const made = await makeWatches(pipeline, { shards: true, count: 2 });
  await pipeline.minute(110);
  pipeline.clock.now += minuteMs;
  pipeline.market.push(aSnapshot(pipeline.clock.now - 1_000, 50));
  await pipeline.dispatch();
  await pipeline.loseQueue('evaluate');
  pipeline.queues.evaluate.push({ eventId: event, kind: 'stats' });
  steps = 0;
  const isCrashed = await pipeline.drain().then(
    () => false,
    (error: unknown) => error instanceof Crash,
  );
  const seen = steps;
  // The messages are lost with the process.
  pipeline.queues.evaluate.length = 0;
  pipeline.clock.now += 5 * minuteMs;
  await pipeline.reconcile();
  await pipeline.drain();
  return { isCrashed, steps: seen, ...toldBy(pipeline, made) };
}

describe('the watches of an event', () => {
  it('are in the shards that follow each other, with all their triggers and cursors of their own', async () => {
    const pipeline = await createPipeline(tables.stores, { event });
    const made = await makeWatches(pipeline, { shards: true });
    await pipeline.minute(110);

    const { triggers, evaluations } = tables.stores;
    const placed = made.map(({ shard = 0, rules }) =>
      rules.flatMap(({ triggerIds }) => triggerIds.map((id) => [id, shard] as const)),
    );
    const shards = await Promise.all(
      placed.flat().map(async ([id, shard]) => [(await triggers.find(id))?.shard ?? 0, shard]),
    );
    expect(made.map(({ shard }) => shard)).toEqual([undefined, 1, 2]);
    expect(shards).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [2, 2],
      [2, 2],
    ]);
    const cursors = await evaluations.ofFeed({ eventId: event, kind: 'stats' });
    expect(cursors.map(({ shard, lease, nextAttemptAt }) => [shard, lease, nextAttemptAt])).toEqual(
      [
        [undefined, undefined, undefined],
        [1, undefined, undefined],
        [2, undefined, undefined],
      ],
    );
    expect(new Set(cursors.map(({ evaluatedThrough }) => evaluatedThrough)).size).toBe(1);
  });

  it('raise in several shards what they raise in one', async () => {
    const one = await createPipeline(tables.stores, { event });
    const inOne = await makeWatches(one, { shards: false });
    await catchUp(one);
    event += 1;
    const several = await createPipeline(tables.stores, { event });
    const inSeveral = await makeWatches(several, { shards: true });
    await catchUp(several);

    const told = toldBy(several, inSeveral);
    expect(told.names).toEqual(toldBy(one, inOne).names);
    expect(told.names.length).toBeGreaterThan(8);
    expect(told.sent).toEqual(told.ids);
  });

  it('are all alerted by a snapshot that comes late', async () => {
    const pipeline = await createPipeline(tables.stores, { event });
    const made = await makeWatches(pipeline, { shards: true });
    await pipeline.minute(100);
    await pipeline.see(100, 30 * minuteMs);
    const at = startMs + 20 * minuteMs;
    await tables.stores.snapshots.createAll([snapshotFromStats(event, aSnapshot(at, 65))], at);
    const feed = { eventId: event, kind: 'stats' } as const;
    await tables.stores.evaluations.noteLate(feed, at);
    await tables.stores.evaluations.markBehind(feed, at);
    await pipeline.evaluate();
    await pipeline.drain();
    await pipeline.see(100);

    expect(toldBy(pipeline, made).names).toEqual(['0: 6500', '1: 6500', '3: 6500']);
  });

  it('are evaluated at once when they are made in a shard that is not the first', async () => {
    const pipeline = await createPipeline(tables.stores, { event });
    await makeWatches(pipeline, { shards: true });
    await pipeline.minute(50);
    pipeline.raised.length = 0;
    const late = await pipeline.addWatch([level(60)]);
    expect(pipeline.queues.evaluate).toEqual([{ eventId: event, kind: 'stats', shard: 2 }]);
    await pipeline.drain();

    expect(pipeline.raised.map(({ watchId }) => watchId)).toEqual([late.watchId]);
  });

  it('are found by reconcile when the nudges of their shards are lost', async () => {
    const pipeline = await createPipeline(tables.stores, { event });
    const made = await makeWatches(pipeline, { shards: true });
    await pipeline.minute(110);
    pipeline.clock.now += minuteMs;
    pipeline.market.push(aSnapshot(pipeline.clock.now - 1_000, 50));
    await pipeline.dispatch();
    await pipeline.loseQueue('evaluate');
    await pipeline.evaluate();
    pipeline.queues.evaluate.length = 0;
    await pipeline.drain();
    expect(toldBy(pipeline, made).names).toEqual(['0: 5000']);

    await pipeline.reconcile();
    await pipeline.drain();
    const told = toldBy(pipeline, made);
    expect(told.names).toEqual(['0: 5000', '1: 5000', '2: 5000', '3: 5000']);
    expect(told.sent).toEqual(told.ids);
  });

  it('are nudged again for a snapshot that the first shard sees in the middle of its run', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const { snapshots, evaluations } = tables.stores;
    const lookedAtAfter: typeof snapshots.lookedAtAfter = async (of, ...rest) => {
      const act = of.shard === undefined ? meanwhile : undefined;
      if (act) meanwhile = undefined;
      await act?.();
      return snapshots.lookedAtAfter(of, ...rest);
    };
    const stores = { ...tables.stores, snapshots: { ...snapshots, lookedAtAfter } };
    const pipeline = await createPipeline(stores, { event });
    const made = await makeWatches(pipeline, { shards: true, count: 2 });
    await pipeline.minute(110);

    const feed = { eventId: event, kind: 'stats' } as const;
    const show = async (getIn: number) => {
      pipeline.clock.now += 1_000;
      const { now } = pipeline.clock;
      await snapshots.createAll([snapshotFromStats(event, aSnapshot(now, getIn))], now);
      await evaluations.markBehind(feed, now);
    };
    await show(100);
    meanwhile = async () => {
      await pipeline.drain();
      await show(50);
    };
    await pipeline.evaluate();
    await pipeline.drain();

    expect(toldBy(pipeline, made).names).toEqual(['0: 5000', '1: 5000', '2: 5000']);
  });

  it('are alerted once when evaluate crashes after any of its steps', async () => {
    const undisturbed = await crashAt(0);
    expect(undisturbed.names).toEqual(['0: 5000', '1: 5000', '2: 5000']);
    expect(undisturbed.steps).toBeGreaterThan(10);

    for (let step = 1; step <= undisturbed.steps; step += 1) {
      const { isCrashed, names, ids, sent } = await crashAt(step);
      expect({ step, isCrashed, names }).toEqual({
        ...{ step, isCrashed: true },
        names: undisturbed.names,
      });
      expect(sent).toEqual(ids);
    }
  });
});
