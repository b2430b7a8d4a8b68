// The pull budget's one item in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $get, $sum, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  type Budget,
  type Caps,
  needsTurning,
  newBudget,
  type Period,
  pullsLeft,
  turnBudget,
} from '#shared/polling/budget.ts';
import { createHealBudget } from './budget-healing.ts';
import { createBudgetShares } from './budget-shares.ts';
import { writeIf, writeOrReplace } from './conditional-write.ts';
import { type Pause, pauseAfterLoss } from './contention-pause.ts';
import { createPullStore } from './pulls.ts';
import { budgetSchema } from './schemas/budget-schema.ts';
import { orMissing, readOne, UnreadableItemError } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const id = 'pulls';
/** Adding to a missing sum would restart it at zero, as if nothing had been spent. */
const areThere = [
  { attr: 'daySpent', exists: true },
  { attr: 'dayCommitted', exists: true },
  { attr: 'periodSpent', exists: true },
  { attr: 'periodCommitted', exists: true },
] as const;
/** Every settled poll changes the item too; with the pauses between them, these attempts take 3 s at most. */
const mostTries = 20;

/** Reads and changes of the budget: every change is one conditional write of its one item. */
export function createBudgetStore(table: WatchlistTable, pause: Pause = pauseAfterLoss) {
  const budgets = new Entity({
    name: 'budget',
    table,
    timestamps: false,
    schema: budgetSchema,
    computeKey: () => ({ pk: 'BUDGET', sk: 'BUDGET' }),
  });
  const reading = { attributes: { id: { otherwise: () => id } } };
  const heal = createHealBudget(table, budgets, createPullStore(table));
  const readWhole = () =>
    readOne(budgets.build(GetItemCommand).key({ id }).options({ consistent: true }), reading);

  /** @returns undefined when there is none, or when it is damaged: the next reservation rebuilds it. */
  function read(): Promise<Budget | undefined> {
    return orMissing(readWhole());
  }

  /** @returns undefined when there is none, or it still can't be read. */
  async function readOrHeal(now: number): Promise<Budget | undefined> {
    try {
      return await readWhole();
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      await heal(now);
      return read();
    }
  }

  function create(budget: Budget): Promise<boolean> {
    return writeIf(() =>
      budgets
        .build(PutItemCommand)
        .item(budget)
        .options({ condition: { attr: 'id', exists: false } })
        .send(),
    );
  }

  /** Replaces the whole budget, if it is still the one that was read. */
  function replace(before: Budget, after: Budget): Promise<boolean> {
    return writeIf(() =>
      budgets
        .build(PutItemCommand)
        .item({ ...after, moves: before.moves + 1 })
        .options({ condition: { attr: 'moves', eq: before.moves } })
        .send(),
    );
  }

  /** The budget at a time: created if there is none, rolled over if its day has ended. */
  async function current(now: number): Promise<Budget> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const budget = await readOrHeal(now);
      if (!budget) {
        await create(newBudget(now));
        continue;
      }
      if (!needsTurning(budget, now)) return budget;
      if (!(await replace(budget, turnBudget(budget, now)))) await pause(attempt);
    }
    throw new BudgetContendedError('the budget item kept changing during the write');
  }

  return {
    read,
    current,

    /**
     * Reserves as many of `wanted` pulls as the caps leave, to be settled before the key's time.
     * @returns the number reserved; 0 when nothing is left.
     */
    async reserve(
      { key, wanted, caps }: { key: string; wanted: number; caps: Caps },
      now: number,
    ): Promise<number> {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const budget = await current(now);
        const granted = Math.min(wanted, pullsLeft(budget, caps));
        if (granted <= 0) return 0;
        const isReserved = await writeIf(() =>
          budgets
            .build(UpdateItemCommand)
            .item({
              id,
              moves: $add(1),
              dayCommitted: $add(granted),
              periodCommitted: $add(granted),
              reservations: { [key]: addTo(key, granted) },
            })
            .options({
              condition: {
                and: [
                  { attr: 'dayCommitted', lte: caps.daily - granted },
                  { attr: 'periodCommitted', lte: caps.monthly - granted },
                  { attr: 'dayStart', eq: budget.dayStart },
                ],
              },
            })
            .send(),
        );
        if (isReserved) return granted;
        await pause(attempt);
      }
      return 0;
    },

    /**
     * Settles `reserved` pulls of a reservation as `spent`. For an expired reservation, only `spent`
     * counts.
     */
    async settle(
      key: string,
      { reserved, spent }: { reserved: number; spent: number },
    ): Promise<void> {
      const settled = { moves: $add(1), daySpent: $add(spent), periodSpent: $add(spent) };
      const commit = (pulls: number) => ({
        ...{ id, ...settled, dayCommitted: $add(pulls), periodCommitted: $add(pulls) },
      });
      const settleLive = () =>
        budgets
          .build(UpdateItemCommand)
          .item({ ...commit(spent - reserved), reservations: { [key]: addTo(key, -reserved) } })
          .options({
            condition: { and: [{ attr: `reservations['${key}']`, gte: reserved }, ...areThere] },
          })
          .send();
      const settleLapsed = () =>
        budgets
          .build(UpdateItemCommand)
          .item(commit(spent))
          .options({ condition: { and: [...areThere] } })
          .send();
      const write = async () =>
        (await writeIf(settleLive)) || spent === 0 || (await writeIf(settleLapsed));
      // If the budget is damaged, its rebuild counts the call's row in the ledger.
      await writeOrReplace({ what: 'budget', ids: { key } }, write, async () => false);
    },

    /**
     * Copies the ledger's sums and the marketplace's period into the budget, unless more was spent meanwhile.
     * Reservations stay unchanged.
     */
    recount(
      before: Budget,
      counted: { daySpent: number; periodSpent: number; period: Period },
    ): Promise<boolean> {
      const { daySpent, periodSpent, period } = counted;
      return writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({
            id,
            moves: $add(1),
            daySpent,
            dayCommitted: $add(daySpent - before.daySpent),
            periodStart: period.start,
            periodEnd: period.end,
            periodSpent,
            periodCommitted: $add(periodSpent - before.periodSpent),
          })
          .options({
            condition: {
              and: [
                { attr: 'dayStart', eq: before.dayStart },
                { attr: 'periodStart', eq: before.periodStart },
                { attr: 'daySpent', eq: before.daySpent },
                { attr: 'periodSpent', eq: before.periodSpent },
              ],
            },
          })
          .send(),
      );
    },

    /** Sets the fleet's spacing scale, in milliseconds. */
    async setStretch(stretchMs: number): Promise<void> {
      await writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({ id, moves: $add(1), stretchMs })
          .options({ condition: { attr: 'id', exists: true } })
          .send(),
      );
    },

    ...createBudgetShares(table),
  };
}

/** DynamoDB's ADD works only on top-level attributes; this one is inside a map. */
function addTo(key: string, pulls: number) {
  return $sum($get(`reservations['${key}']`, 0), pulls);
}

/** Thrown when other writers keep changing the budget: nothing was spent. */
export class BudgetContendedError extends Error {
  override readonly name = 'BudgetContendedError';
}

export type { BudgetSettings } from './budget-shares.ts';

export type BudgetStore = ReturnType<typeof createBudgetStore>;
