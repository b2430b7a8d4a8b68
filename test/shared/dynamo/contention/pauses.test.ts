// Between attempts that other writers win, a writer of a contended item waits for a random time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBudgetStore } from '#shared/dynamo/budget.ts';
import { pauseMsAfter } from '#shared/dynamo/contention-pause.ts';
import { createMarketStateStore } from '#shared/dynamo/market-state.ts';
import { openTables } from '#shared/dynamo/tables.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;

let tables: TestTables;
/** Runs before the next conditional put, as a competing writer would. */
let compete: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  tables = await startTestTables();
  tables.client.middlewareStack.add(
    (next) => async (args) => {
      if ('Item' in args.input) {
        const competing = compete;
        compete = undefined;
        await competing?.();
      }
      return next(args);
    },
    { step: 'initialize', name: 'competitor' },
  );
});
afterAll(() => tables.stop());

const open = () => openTables(tables.client, tables.names).watchlist;

it('the budget pauses longer after each lost attempt to begin a day, and succeeds', async () => {
  const other = createBudgetStore(open());
  await other.current(now);
  const bump = async () => other.setStretch(60_000);
  compete = bump;
  const pauses: number[] = [];
  const ours = createBudgetStore(open(), async (attempt) => {
    pauses.push(attempt);
    if (attempt < 2) compete = bump;
  });

  expect(await ours.current(now + dayMs)).toMatchObject({ dayCommitted: 0, stretchMs: 60_000 });
  expect(pauses).toEqual([0, 1, 2]);
});

it('the marketplace state pauses longer after each lost attempt, and succeeds', async () => {
  const other = createMarketStateStore(open());
  const pauses: number[] = [];
  const bump = () => other.change((state) => ({ ...state, trialAt: now }));
  compete = bump;
  const ours = createMarketStateStore(open(), async (attempt) => {
    pauses.push(attempt);
    if (attempt < 2) compete = bump;
  });

  const { after } = await ours.change((state) => ({ ...state, openUntil: now }));
  expect(after).toMatchObject({ openUntil: now, trialAt: now, version: 4 });
  expect(pauses).toEqual([0, 1, 2]);
});

it.each([
  { attempt: 0, random: 0, ms: 0 },
  { attempt: 0, random: 0.5, ms: 2.5 },
  { attempt: 3, random: 0.5, ms: 20 },
  { attempt: 19, random: 0.5, ms: 100 },
])('attempt $attempt with random $random waits $ms ms', ({ attempt, random, ms }) => {
  expect(pauseMsAfter(attempt, random)).toBe(ms);
});
