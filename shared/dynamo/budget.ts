// The pull budget's one item in the Watchlist table.
import { $add, $get, $sum, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { type Caps, pullsLeft } from '#shared/polling/budget.ts';
import { createBudgetCorrections } from './budget-corrections.ts';
import { createBudgetShares } from './budget-shares.ts';
import { writeIf, writeOrReplace } from './conditional-write.ts';
import { type Pause, pauseAfterLoss } from './contention-pause.ts';
import { budgetId, createBudgetEntity, createCurrentBudget, mostTries } from './current-budget.ts';
import type { WatchlistTable } from './tables.ts';

/** Adding to a missing sum would restart it at zero, as if nothing had been spent. */
const areThere = [
  { attr: 'daySpent', exists: true },
  { attr: 'dayCommitted', exists: true },
  { attr: 'periodSpent', exists: true },
  { attr: 'periodCommitted', exists: true },
] as const;

interface SettledCall {
  reserved: number;
  spent: number;
  answeredAt?: number | undefined;
}

/** Reads and changes of the budget: every change is one conditional write of its one item. */
export function createBudgetStore(table: WatchlistTable, pause: Pause = pauseAfterLoss) {
  const budgets = createBudgetEntity(table);
  const { read, current } = createCurrentBudget(table, budgets, pause);

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
              id: budgetId,
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
     * counts. `answeredAt` (epoch ms) is when the call was sent, if it was answered.
     */
    async commitReservation(
      key: string,
      { reserved, spent, answeredAt }: SettledCall,
    ): Promise<void> {
      const settled = {
        ...{ moves: $add(1), daySpent: $add(spent), periodSpent: $add(spent) },
        ...(answeredAt !== undefined && { lastAnswerAt: answeredAt }),
      };
      const commit = (pulls: number) => ({
        ...{ id: budgetId, ...settled, dayCommitted: $add(pulls), periodCommitted: $add(pulls) },
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

    ...createBudgetCorrections(budgets),
    ...createBudgetShares(table),
  };
}

/** DynamoDB's ADD works only on top-level attributes; this one is inside a map. */
function addTo(key: string, pulls: number) {
  return $sum($get(`reservations['${key}']`, 0), pulls);
}

export type BudgetStore = ReturnType<typeof createBudgetStore>;
