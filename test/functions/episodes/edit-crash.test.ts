// A crash after any step of an edit, then redelivery: the message shows in the end what became of its alert,
// and is not edited twice within a minute.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelId, createPipeline, type Pipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

/** A crash ends the process, so nothing may take it for a fault of the item at hand. */
class Crash extends Error {
  override readonly name = 'AbortError';
}

const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };
const minuteMs = 60_000;
const stepsOfEdits = /^(livingMessages\.|edit accepted|send to edits)/;

let tables: TestTables;
let event = 7_000;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** Two firings, with a low in each; crashes after step number `crashAt` of those that edits take. */
async function runWithCrash(crashAt: number) {
  event += 1;
  await tables.stores.channels.remove(channelId);
  let steps = 0;
  let crashedAfter: string | undefined;
  const pipeline = await createPipeline(tables.stores, {
    ...{ event, isChat: true },
    afterStep: (step) => {
      if (!stepsOfEdits.test(step)) return;
      steps += 1;
      if (steps !== crashAt) return;
      crashedAfter = step;
      throw new Crash(step);
    },
  });
  await pipeline.addWatch([below80]);
  for (const price of [100, 74, 70, 100, 60, 50, 51]) {
    const isDisturbed = await surviving(() => pipeline.see(price));
    if (isDisturbed) await recover(pipeline);
  }
  while (await surviving(() => pipeline.settleEdits())) pipeline.clock.now += 6 * minuteMs;
  const { messages } = pipeline.chat;
  return { steps, crashedAfter, messages };
}

/** What the cloud does by itself after a crash: redelivery, leases that run out. */
async function recover(pipeline: Pipeline): Promise<void> {
  pipeline.clock.now += 6 * minuteMs;
  await pipeline.evaluate();
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

describe('a crash after any step of an edit', () => {
  const outcomes: Awaited<ReturnType<typeof runWithCrash>>[] = [];

  beforeAll(async () => {
    const undisturbed = await runWithCrash(0);
    outcomes.push(undisturbed);
    for (let step = 1; step <= undisturbed.steps; step += 1) {
      outcomes.push(await runWithCrash(step));
    }
  }, 120_000);

  const wordsOf = ({ messages }: (typeof outcomes)[number]) =>
    messages.map(({ line }) => line?.replace(/ · .*/, ''));

  it('has an undisturbed run to compare with', () => {
    const [undisturbed] = outcomes;
    expect(undisturbed && wordsOf(undisturbed)).toEqual(['Went back to $100', 'New low: $50']);
    expect(outcomes.length).toBeGreaterThan(12);
  });

  it('loses no edit but those of a message that was not marked yet', () => {
    const wrong = outcomes.filter((outcome) => {
      const isLost = outcome.crashedAfter === 'livingMessages.keep';
      return !isLost && JSON.stringify(wordsOf(outcome)) !== '["Went back to $100","New low: $50"]';
    });
    expect(wrong).toEqual([]);
  });

  it('leaves one message alone at most, and doubles none', () => {
    for (const outcome of outcomes) {
      expect(outcome.messages).toHaveLength(2);
      expect(wordsOf(outcome).filter((line) => line === undefined).length).toBeLessThan(2);
    }
  });

  it('edits no message twice within a minute', () => {
    const gaps = outcomes.flatMap(({ messages }) =>
      messages.flatMap(({ editedAt }) =>
        editedAt.slice(1).map((at, index) => at - (editedAt[index] ?? 0)),
      ),
    );
    expect(gaps.filter((gap) => gap < minuteMs)).toEqual([]);
  });
});
