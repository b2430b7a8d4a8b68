// How the state of the marketplace is stored.
import { item, map, number, record, string } from 'dynamodb-toolbox/schema';
import { type MarketState, pauseReasons } from '#shared/polling/market-state.ts';
import type { MarketClock } from '#shared/polling/service-clock.ts';
import { storedAs } from './stored-as.ts';

const marketClockSchema = storedAs<MarketClock>()(
  map({ offsetMs: number(), candidateMs: number().optional() }),
);

export const marketStateSchema = storedAs<MarketState>()(
  item({
    id: string().key(),
    version: number(),
    pause: map({
      reason: string().enum(...pauseReasons),
      since: number(),
      code: string().optional(),
      topUpUrl: string().optional(),
    }).optional(),
    faults: number(),
    openUntil: number().optional(),
    openedAt: number().optional(),
    trialAt: number().optional(),
    notBefore: record(string(), number()),
    windows: record(string(), map({ startsAt: number(), taken: number() })),
    limits: record(string(), map({ limit: number(), windowSeconds: number() })),
    plan: string().optional(),
    accountReadAt: number().optional(),
    usageBase: map({ periodStart: number(), pulls: number() }).optional(),
    csvReadAt: number().optional(),
    budgetHeldAt: number().optional(),
    clock: marketClockSchema.optional(),
  }),
);
