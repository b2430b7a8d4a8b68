// Tells the operator when half, four fifths or all of a cap is spent, each once per day or period.
import { type Budget, type Caps, shareReached } from '#shared/polling/budget.ts';
import { operatorNotice } from '#shared/polling/notice.ts';
import { shareReachedText } from '#shared/polling/notice-texts.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { endOfDay } from '#shared/polling/spending.ts';

/** The use case; it reports only the highest share reached, so a jump over two shares makes one notice. */
export function createTellBudget(notify: Notify) {
  return async function tellBudget(budget: Budget, caps: Caps, now: number): Promise<void> {
    const spans = [
      {
        span: 'day',
        spent: budget.daySpent,
        cap: caps.daily,
        turnsAt: endOfDay(budget),
        began: budget.dayStart,
      },
      {
        span: 'billing period',
        spent: budget.periodSpent,
        cap: caps.monthly,
        turnsAt: budget.periodEnd,
        began: budget.periodStart,
      },
    ] as const;
    for (const { began, ...facts } of spans) {
      const percent = shareReached(facts.spent, facts.cap);
      if (percent === undefined) continue;
      const cause = `${facts.span}/${ledgerDay(began)}/${percent}`;
      await notify(operatorNotice(shareReachedText({ ...facts, percent }), cause, now));
    }
  };
}
