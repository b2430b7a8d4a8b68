// A crash after any write or send, then redelivery: the same alerts, each once.
import { beforeAll, describe, expect, it } from 'vitest';
import { createPipeline, ownerId, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables } from '#test/support/tables.ts';

/** A crash ends the process, so nothing may take it for a fault of the trigger at hand. */
class Crash extends Error {
  override readonly name = 'AbortError';
}

interface Scenario {
  rule: { type: 'level'; metric: 'get_in'; at_or_below: number; [modifier: string]: unknown };
  /** One a minute, dollars; null for an empty market. */
  prices: (number | null)[];
  /** What an undisturbed run tells: cents, or 1 for missing data. */
  expected: number[];
  /** How many alerts the rule's limits stop. */
  stopped: number;
}

const level = { type: 'level', metric: 'get_in', at_or_below: 80 } as const;
const scenarios: Record<string, Scenario> = {
  'two falls through 80, re-armed in between at 90': {
    rule: level,
    prices: [100, 79, 90, 77],
    expected: [7_900, 7_700],
    stopped: 0,
  },
  // Whose triggers are two, and ask each other when the rule spoke last.
  'a fall through 80 and a further one, of a rule that cools down': {
    rule: { ...level, repeat_every_further_percent: 2, cool_down_minutes: 1 },
    prices: [100, 79, 75],
    expected: [7_900, 7_500],
    stopped: 0,
  },
  'two falls of a rule that tells when the price went back': {
    rule: { ...level, tell_recovery: true, at_most_per_day: 2 },
    prices: [100, 79, 90, 77, 95],
    expected: [7_900, 9_000, 7_700, 9_500],
    stopped: 0,
  },
  'a fall, missing data, and a fall beyond the limit that both share': {
    rule: { ...level, on_no_data: 'alert', at_most_per_day: 2 },
    prices: [100, 79, null, 90, 77, 76],
    expected: [7_900, 1],
    stopped: 1,
  },
};

/** Runs the scenario and crashes after step number `crashAt`; answers with what was sent. */
async function runWithCrash({ rule, prices }: Scenario, crashAt: number) {
  const tables = await startTestTables();
  let steps = 0;
  let crashedAfter: string | undefined;
  const pipeline = await createPipeline(tables.stores, {
    afterStep: (step) => {
      steps += 1;
      if (steps !== crashAt) return;
      crashedAfter = step;
      throw new Crash(step);
    },
  });
  await surviving(() => pipeline.addWatch([rule]));
  const watchWasMade = (await tables.stores.watches.list(ownerId, { limit: 1 })).rows;
  // A poll that a crash has moved finds the last price a minute or two later.
  for (const price of [...prices, undefined, undefined]) {
    const isDisturbed = await surviving(() => pipeline.minute(price));
    if (isDisturbed) await recover(pipeline);
  }
  const sent = pipeline.sent.map(({ alert }) => alert.value);
  const { rows } = await tables.stores.alerts.list(ownerId, { limit: 20 });
  const stopped = rows.filter(({ unsentReason }) => unsentReason !== undefined).length;
  await tables.stop();
  return { steps, crashedAfter, sent, stopped, watchWasMade: watchWasMade.length > 0 };
}

/** What the cloud does by itself after a crash: redelivery, leases running out, reconcile. */
async function recover(pipeline: Pipeline): Promise<void> {
  await pipeline.drain();
  pipeline.clock.now += 5 * 60_000;
  await pipeline.dispatch();
  await pipeline.drain();
  await pipeline.reconcile();
  await pipeline.drain();
}

/** @returns whether the work crashed. */
async function surviving(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  }
}

describe.each(Object.entries(scenarios))('a crash after any single step of %s', (_, scenario) => {
  let undisturbed: Awaited<ReturnType<typeof runWithCrash>>;
  const outcomes: Awaited<ReturnType<typeof runWithCrash>>[] = [];

  beforeAll(async () => {
    undisturbed = await runWithCrash(scenario, 0);
    for (let step = 1; step <= undisturbed.steps; step += 1)
      outcomes.push(await runWithCrash(scenario, step));
  }, 900_000);

  it('has an undisturbed run to compare with', () => {
    expect(undisturbed.sent).toEqual(scenario.expected);
    expect(outcomes.length).toBeGreaterThan(30);
  });

  it('loses no alert and doubles none, but for the one gap after an accepted mail', () => {
    const disturbed = outcomes.filter(({ watchWasMade }) => watchWasMade);
    const wrong = disturbed.filter(({ sent, crashedAfter }) => {
      const seen = crashedAfter === 'mail accepted' ? [...new Set(sent)] : sent;
      return JSON.stringify(seen) !== JSON.stringify(scenario.expected);
    });
    expect(wrong).toEqual([]);
    expect(disturbed.filter(({ stopped }) => stopped !== scenario.stopped)).toEqual([]);
  });

  it('sends nothing for a watch whose creation crashed before it was written', () => {
    const unmade = outcomes.filter(({ watchWasMade }) => !watchWasMade);
    expect(unmade.length).toBeGreaterThan(0);
    expect(unmade.flatMap(({ sent }) => sent)).toEqual([]);
  });
});
