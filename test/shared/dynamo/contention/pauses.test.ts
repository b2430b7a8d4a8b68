// Between attempts that other writers win, a writer of a contended item waits for a random time; after
// enough of them it gives up.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createBudgetStore } from '#shared/dynamo/budget.ts';
import { pauseMsAfter } from '#shared/dynamo/contention-pause.ts';
import { createMarketStateStore } from '#shared/dynamo/market-state.ts';
import { openTables } from '#shared/dynamo/tables.ts';
import { reservationKey } from '#shared/polling/budget.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const aSummary = { count: 1, cheapestCents: null, newCheapestCents: null, matches: [] };

let tables: TestTables;
/** Runs before the next conditional write, as a competing writer would. */
let compete: (() => Promise<unknown>) | undefined;
/** Runs before every conditional write, except its own. */
let alwaysCompete: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  tables = await startDynaliteTables();
  tables.client.middlewareStack.add(
    (next) => async (args) => {
      if ('ConditionExpression' in args.input) {
        const [always, competing] = [alwaysCompete, compete ?? alwaysCompete];
        compete = undefined;
        alwaysCompete = undefined;
        await competing?.();
        alwaysCompete = always;
      }
      return next(args);
    },
    { step: 'initialize', name: 'competitor' },
  );
});
afterEach(() => {
  alwaysCompete = undefined;
});
afterAll(() => tables.stop());

const open = () => openTables(tables.client, tables.names).watchlist;
const from0To = (last: number) => Array.from({ length: last + 1 }, (_, each) => each);

it('the budget pauses longer after each lost attempt to begin a day, and succeeds', async () => {
  const other = createBudgetStore(open());
  await other.current(now);
  const bump = async () => other.setPlan({ pullPrice: 60_000, learned: priorLearning });
  compete = bump;
  const pauses: number[] = [];
  const ours = createBudgetStore(open(), async (attempt) => {
    pauses.push(attempt);
    if (attempt < 2) compete = bump;
  });

  expect(await ours.current(now + dayMs)).toMatchObject({ dayCommitted: 0, pullPrice: 60_000 });
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

it('a reservation that loses 20 times reserves nothing', async () => {
  const key = reservationKey(now + 2 * dayMs, 'stats');
  const caps = { daily: 1_000, monthly: 1_000 };
  const reserve = (pause = async (_attempt: number) => {}) =>
    createBudgetStore(open(), pause).reserve({ key, wanted: 1_000, caps }, now + dayMs);
  const before = await createBudgetStore(open()).current(now + dayMs);
  const pauses: number[] = [];
  alwaysCompete = () => createBudgetStore(open()).reserve({ key, wanted: 1, caps }, now + dayMs);

  expect(await reserve(async (attempt) => void pauses.push(attempt))).toBe(0);
  expect(pauses).toEqual(from0To(19));
  alwaysCompete = undefined;
  const after = await createBudgetStore(open()).current(now + dayMs);
  expect(after.dayCommitted - before.dayCommitted).toBe(20);
});

it('a change of the marketplace state that loses 20 times throws', async () => {
  const other = createMarketStateStore(open());
  const pauses: number[] = [];
  alwaysCompete = () => other.change((state) => ({ ...state, trialAt: (state.trialAt ?? 0) + 1 }));
  const ours = createMarketStateStore(open(), async (attempt) => void pauses.push(attempt));

  await expect(ours.change((state) => ({ ...state, openUntil: 1 }))).rejects.toMatchObject({
    name: 'MarketStateContendedError',
  });
  expect(pauses).toEqual(from0To(19));
  expect((await other.read()).openUntil).not.toBe(1);
});

it('an amendment of a snapshot that loses eight times throws', async () => {
  const store = tables.stores.snapshots;
  const ofFilters = (...ids: string[]) => ({
    ...{ feedKind: 'listings' as const, eventId: 7, observedAt: now },
    filters: Object.fromEntries(ids.map((id) => [id, aSummary])),
  });
  await store.create(ofFilters('first'), now);
  let others = 0;
  alwaysCompete = () => {
    others += 1;
    return store.amend(ofFilters(`other ${others}`));
  };

  await expect(store.amend(ofFilters('ours'))).rejects.toMatchObject({
    name: 'SnapshotContendedError',
  });
  expect(others).toBe(8);
});

it.each([
  { attempt: 0, random: 0, ms: 0 },
  { attempt: 0, random: 0.5, ms: 2.5 },
  { attempt: 3, random: 0.5, ms: 20 },
  { attempt: 19, random: 0.5, ms: 100 },
])('attempt $attempt with random $random waits $ms ms', ({ attempt, random, ms }) => {
  expect(pauseMsAfter(attempt, random)).toBe(ms);
});
