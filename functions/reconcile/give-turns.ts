// Gives every feed its turn under the budget: learns from the fleet, finds the price of a pull at which it spends
// what may be spent, stores both for the polls to come, and moves the feeds whose turn has changed.
import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Budget, Caps } from '#shared/polling/budget.ts';
import type { NextPoll } from '#shared/polling/cadence.ts';
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
  /** The part of the fleet that the feeds are: they may spend that part of the pulls. */
  share: number;
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
const feedsAtOnce = 10;
/**
 * Feeds rescheduled in one run; the next run reschedules the others. Each is some nine write units, and a partition of
 * the due index takes 1,000 a second.
 */
const mostMoves = 1_000;

/** The use case. It is safe to repeat: a turn that is as it should be is not written. */
export function createGiveTurns(deps: GiveTurnsDeps) {
  return async function giveTurns(
    active: readonly Feed[],
    { budget, caps, exhausted, freeWhenQuiet, share, now }: GiveTurnsTerms,
  ): Promise<TurnsGiven> {
    const learned = learnFromFleet(budget.learned ?? priorLearning, learningFeeds(active));
    const rows = active.map((feed) => ({
      feed,
      demand: demandOf(feed, { freeWhenQuiet, learned, now }),
    }));
    const spending = new Set(ownersWithin(active, { exhausted }));
    const { pullsPerMs, notBefore } = planSpending(budget, caps, now);
    const asking = rows.filter(({ feed }) => spending.has(feed)).map(({ demand }) => demand);
    const price = findPrice(asking, pullsPerMs * share, trustOf(learned));
    await deps.budget.setPlan({ ...price, learned });
    const terms = { freeWhenQuiet, ...price, learned, now };
    const moves = await inLots(rows, rows.length, async ({ feed, demand }) => {
      const ids = { eventId: feed.eventId, kind: feed.kind };
      return alone({ step: 'budget', ids }, async () => {
        const earliest = spending.has(feed) ? notBefore : Math.max(notBefore, endOfDay(budget));
        const turn = movedTurn(feed, { ...terms, notBefore: earliest }, demand);
        return turn && { feed, turn };
      });
    });
    const moved = await moveTurns(deps, soonestFirst(moves.filter((move) => move !== undefined)));
    return { pullPrice: price.pullPrice, moved };
  };
}

interface Move {
  feed: Feed;
  turn: NextPoll;
}

/** By the time at which the feed would be polled, or is to be. */
function soonestFirst(moves: readonly Move[]): Move[] {
  const timeOf = ({ feed, turn }: Move) => Math.min(feed.nextPollAt ?? 0, turn.nextPollAt);
  return moves.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** @returns how many were moved. When the table refuses more writes, the next run moves the others. */
async function moveTurns({ feeds }: GiveTurnsDeps, moves: readonly Move[]): Promise<number> {
  let moved = 0;
  let isRefused = false;
  await inLots(moves.slice(0, mostMoves), feedsAtOnce, ({ feed, turn }) => {
    const ids = { eventId: feed.eventId, kind: feed.kind };
    return alone({ step: 'budget', ids }, async () => {
      if (isRefused) return;
      try {
        if (await feeds.reschedule(feed, turn)) moved += 1;
      } catch (error) {
        if (!isThrottled(error)) throw error;
        isRefused = true;
      }
    });
  });
  return moved;
}

function isThrottled(error: unknown): boolean {
  return error instanceof Error && /Throttl|ThroughputExceeded/.test(error.name);
}

export type GiveTurns = ReturnType<typeof createGiveTurns>;
