// How the pull budget is stored.
import { item, list, map, number, record, string } from 'dynamodb-toolbox/schema';
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
    pullPrice: number(),
    longestMs: number().optional(),
    learned: map({
      ...{ alertsPerWatchDay: number(), variancePerDay: number(), growth: list(number()) },
      mix: map({ levels: number(), rate: number() }),
      explained: number(),
    }).optional(),
    lastAnswerAt: number().optional(),
    moves: number(),
  }),
);
