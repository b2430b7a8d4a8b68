// Over any path of prices: one message for each firing, each shows in the end what became of it, and none is
// edited twice within a minute.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { channelId, createPipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const rule = { type: 'level', metric: 'get_in', at_or_below: 80 };
/** 3 % above the level. */
const rearmAt = 82.4;
const minuteMs = 60_000;

let tables: TestTables;
let event = 5_000;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** The rule in its simplest form: the firings, with the lowest price of each and whether it went back. */
function firingsOf(prices: readonly number[]) {
  const firings: { first: number; low: number; isBack: boolean }[] = [];
  for (const price of prices) {
    const last = firings.at(-1);
    if (last && !last.isBack) {
      last.low = Math.min(last.low, price);
      last.isBack = price >= rearmAt;
    } else if (price <= 80) firings.push({ first: price, low: price, isBack: false });
  }
  return firings;
}

/** The words of a message; which of several prices beyond the rearm level it names depends on the times. */
function wordsOf(line: string | undefined): string | undefined {
  const [words] = line?.split(' · ') ?? [];
  const [, back] = /^Went back to \$([\d.]+)$/.exec(words ?? '') ?? [];
  if (back === undefined) return words;
  return Number(back) >= rearmAt ? 'went back' : words;
}

const seen = fc.record({
  price: fc.integer({ min: 60, max: 100 }),
  seconds: fc.integer({ min: 5, max: 90 }),
});

it('each firing has one message, which shows in the end what became of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(seen, { minLength: 3, maxLength: 14 }), async (path) => {
      event += 1;
      await tables.stores.channels.remove(channelId);
      const pipeline = await createPipeline(tables.stores, { event, isChat: true });
      await pipeline.addWatch([rule]);
      await pipeline.see(100);
      for (const { price, seconds } of path) await pipeline.see(price, seconds * 1_000);
      await pipeline.settleEdits();

      const firings = firingsOf(path.map(({ price }) => price));
      const { messages } = pipeline.chat;
      expect(messages.map(({ line }) => wordsOf(line))).toEqual(
        firings.map(({ first, low, isBack }) => {
          if (isBack) return 'went back';
          return low < first ? `New low: $${low}` : undefined;
        }),
      );
      for (const { editedAt } of messages) {
        const gaps = editedAt.slice(1).map((at, index) => at - (editedAt[index] ?? 0));
        expect(gaps.filter((gap) => gap < minuteMs)).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
});
