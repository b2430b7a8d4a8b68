import type { BudgetSettings } from '#shared/dynamo/budget-shares.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const set =
  (daily: number) =>
  async ({ budget }: Stores) => {
    const before = await budget.settings();
    const after: BudgetSettings = { daily, ownerShares: before.ownerShares };
    return budget.replaceSettings(before, after);
  };
const left = async ({ budget }: Stores) => {
  const { daily, revision } = await budget.settings();
  return [daily, revision];
};

const outcomesAfter = (revision: number) =>
  [
    [true, true, [1, revision + 2]],
    [true, true, [2, revision + 2]],
    [true, false, [1, revision + 1]],
    [false, true, [2, revision + 1]],
  ] as const;

describeMeetings('the settings of the budget', {
  'take one of two first changes of the same version': meeting({
    given: async () => {},
    a: set(1),
    b: set(2),
    left,
    outcomes: outcomesAfter(0),
  }),
  'take one of two later changes of the same version': meeting({
    given: set(3),
    a: set(1),
    b: set(2),
    left,
    outcomes: outcomesAfter(1),
  }),
});
