// Gives every feed its turn under the budget: learns from the fleet, finds the price of a pull at which it spends
// what may be spent, stores both for the polls to come, and moves the feeds whose turn has changed.
import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Budget, Caps } from '#shared/polling/budget.ts';
import { ownersWithin } from '#shared/polling/dispatch-order.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { demandOf, learningFeeds, movedTurn } from '#shared/polling/fleet.ts';
import { endOfDay, planSpending } from '#shared/polling/spending.ts';
import { learnFromFleet, priorLearning, trustOf } from '#shared/polling/value/fleet-learning.ts';
import { findPrice } from '#shared/polling/value/waiting.ts';
import { alone } from './each-alone.ts';

interface GiveTurnsDeps {
  feeds: Pick<FeedStore, 'reschedule'>;
  budget: Pick<BudgetStore, 'setPlan'>;
}

export interface GiveTurnsTerms {
  budget: Budget;
  caps: Caps;
  /** Owners whose share of today is used up: a feed that only they watch waits until tomorrow. */
  exhausted: ReadonlySet<string>;
  freeWhenQuiet: boolean;
  /** Epoch milliseconds. */
  now: number;
}

export interface TurnsGiven {
  /** In minutes of waiting; 0 while the budget covers all demand. */
  pullPrice: number;
  /** Feeds whose next poll was rescheduled. */
  moved: number;
}

/** Feeds rescheduled together. */
const feedsAtOnce = 25;

/** The use case. It is safe to repeat: a turn that is as it should be is not written. */
export function createGiveTurns(deps: GiveTurnsDeps) {
  return async function giveTurns(
    active: readonly Feed[],
    { budget, caps, exhausted, freeWhenQuiet, now }: GiveTurnsTerms,
  ): Promise<TurnsGiven> {
    const learned = learnFromFleet(budget.learned ?? priorLearning, learningFeeds(active));
    const rows = active.map((feed) => ({
      feed,
      demand: demandOf(feed, { freeWhenQuiet, learned, now }),
    }));
    const spending = new Set(ownersWithin(active, { exhausted }));
    const { pullsPerMs, notBefore } = planSpending(budget, caps, now);
    const asking = rows.filter(({ feed }) => spending.has(feed)).map(({ demand }) => demand);
    const price = findPrice(asking, pullsPerMs, trustOf(learned));
    await deps.budget.setPlan({ ...price, learned });
    const terms = { freeWhenQuiet, ...price, learned, now };
    const moved = await inLots(rows, feedsAtOnce, async ({ feed, demand }) => {
      const ids = { eventId: feed.eventId, kind: feed.kind };
      return alone({ step: 'budget', ids }, async () => {
        const earliest = spending.has(feed) ? notBefore : Math.max(notBefore, endOfDay(budget));
        const turn = movedTurn(feed, { ...terms, notBefore: earliest }, demand);
        return turn !== undefined && deps.feeds.reschedule(feed, turn);
      });
    });
    return { pullPrice: price.pullPrice, moved: moved.filter(Boolean).length };
  };
}

export type GiveTurns = ReturnType<typeof createGiveTurns>;
