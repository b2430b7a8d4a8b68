// How the pull budget is stored.
import { item, number, record, string } from 'dynamodb-toolbox/schema';
import type { Budget } from '#shared/polling/budget.ts';
import { storedAs } from './stored-as.ts';

export const budgetSchema = storedAs<Budget>()(
  item({
    id: string().key(),
    dayStart: number(),
    daySpent: number(),
    dayCommitted: number(),
    periodStart: number(),
    periodEnd: number(),
    periodSpent: number(),
    periodCommitted: number(),
    reservations: record(string(), number()),
    stretchMs: number(),
    moves: number(),
  }),
);
