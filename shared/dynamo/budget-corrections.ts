// Writes that correct the budget: the sums and the period that were counted again, and the fleet's price of a pull.
import { $add, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { Budget, Period } from '#shared/polling/budget.ts';
import type { FleetLearning } from '#shared/polling/value/learned.ts';
import { writeIf } from './conditional-write.ts';
import { type BudgetEntity, budgetId } from './current-budget.ts';

/** What one run of reconcile finds for all polls to come. */
export interface FleetPlan {
  pullPrice: number;
  longestMs?: number;
  learned: FleetLearning;
}

export function createBudgetCorrections(budgets: BudgetEntity) {
  return {
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
            id: budgetId,
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

    /** Sets what reconcile has found for the fleet: the price of a pull, and what was learned. */
    async setPlan({ pullPrice, longestMs, learned }: FleetPlan): Promise<void> {
      await writeIf(() =>
        budgets
          .build(UpdateItemCommand)
          .item({ id: budgetId, moves: $add(1), pullPrice, longestMs, learned: $set(learned) })
          .options({ condition: { attr: 'id', exists: true } })
          .send(),
      );
    },
  };
}
