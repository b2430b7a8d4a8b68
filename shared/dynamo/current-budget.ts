// The budget's one item as it is at a time: created if there is none, rebuilt if damaged, rolled over at day's end.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type Budget, needsTurning, newBudget, turnBudget } from '#shared/polling/budget.ts';
import { isFleetLearning } from '#shared/polling/value/fleet-learning.ts';
import { absent, orElse } from './attribute-readings.ts';
import { createHealBudget } from './budget-healing.ts';
import { writeIf } from './conditional-write.ts';
import type { Pause } from './contention-pause.ts';
import { createPullStore } from './pulls.ts';
import { budgetSchema } from './schemas/budget-schema.ts';
import { orMissing, readOne, UnreadableItemError } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The key of the one item. */
export const budgetId = 'pulls';
/** Every settled poll changes the item too; with the pauses between them, these attempts take 3 s at most. */
export const mostTries = 20;

export function createBudgetEntity(table: WatchlistTable) {
  return new Entity({
    name: 'budget',
    table,
    timestamps: false,
    schema: budgetSchema,
    computeKey: () => ({ pk: 'BUDGET', sk: 'BUDGET' }),
  });
}

export type BudgetEntity = ReturnType<typeof createBudgetEntity>;

/** Reads of the budget. */
export function createCurrentBudget(table: WatchlistTable, budgets: BudgetEntity, pause: Pause) {
  const reading = {
    attributes: {
      id: { otherwise: () => budgetId },
      // Absent in budgets of earlier releases.
      pullPrice: orElse(0),
      learned: { ...absent, isReadable: isFleetLearning },
    },
  };
  const heal = createHealBudget(table, budgets, createPullStore(table));
  const readWhole = () =>
    readOne(
      budgets.build(GetItemCommand).key({ id: budgetId }).options({ consistent: true }),
      reading,
    );

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

  return { read, current };
}

/** Thrown when other writers keep changing the budget: nothing was spent. */
export class BudgetContendedError extends Error {
  override readonly name = 'BudgetContendedError';
}
