// Reads the pull budget for people: spent, left, forecast, cost per event, and possible savings.
// It costs no pull, because all figures come from our own tables.

import type { KnownSettings } from '#shared/dynamo/budget-shares.ts';
import { readFleetPart } from '#shared/dynamo/fleet-part.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import { flatPricePerPull, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { type Caps, pullsLeft } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { forecastFeed } from '#shared/polling/fleet.ts';
import { lowerCaps } from '#shared/polling/owner-share.ts';
import { findSavings, type Saving } from '#shared/polling/savings.ts';
import { endOfDay } from '#shared/polling/spending.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { pollingEndOf } from '#shared/watchlist/event-facts.ts';
import { type EventCost, eventCosts, spentByEvent } from './event-costs.ts';

/** A day or a billing period; times in epoch milliseconds, the rest in pulls. */
export interface BudgetSpan {
  start: number;
  end: number;
  spent: number;
  reserved: number;
  /** Spent at its end. */
  forecast: number;
  /** What the watches would spend by its end without any cap, at their latencies. */
  demand: number;
}

export interface BudgetReport {
  plan: string | null;
  /** The caps that apply: the lower of the deployment's and the operator's. */
  caps: Caps;
  /** The deployment's caps. */
  deployed: Caps;
  settings: KnownSettings;
  day: BudgetSpan;
  period: BudgetSpan;
  pullsLeft: number;
  isStretched: boolean;
  pausedFor: string | null;
  events: EventCost[];
  savings: (Saving & Pick<EventCost, 'facts'>)[];
}

/** The value of some pulls on the flat-rate plan, in currency units. */
export function flatValue(pulls: number): number {
  return Math.round(pulls * flatPricePerPull * 1_000) / 1_000;
}

/** Of a larger fleet a part is read, from which forecast and demand of the whole are computed. */
const mostFeeds = 5_000;
const mostSavings = 20;

export type ReadBudget = (now: number) => Promise<BudgetReport>;

interface ReadBudgetDeps {
  stores: Pick<Stores, 'budget' | 'feeds' | 'marketState' | 'pulls' | 'eventFacts'>;
  /** The deployment's caps. */
  pullCaps: Caps;
  assumptions: BillingAssumptions;
}

/** @returns a reader of the whole deployment's budget at a time (epoch milliseconds). */
export function createReadBudget({ stores, pullCaps, assumptions }: ReadBudgetDeps): ReadBudget {
  return async function readBudget(now) {
    const [budget, state, settings, fleet] = await Promise.all([
      stores.budget.current(now),
      stores.marketState.read(),
      stores.budget.settings(),
      readFleetPart(stores.feeds, { first: 0, most: mostFeeds }),
    ]);
    const { share } = fleet;
    const active = fleet.feeds.filter(({ status }) => status === 'active');
    const feeds = await Promise.all(active.map(withStart));
    const { dayStart, periodStart, periodEnd, pullPrice, longestMs } = budget;
    const { learned = priorLearning } = budget;
    const spent = await spentByEvent(stores, { dayStart, periodStart }, now);
    const terms = {
      freeWhenQuiet: isFreeWhenQuiet(state.plan, assumptions),
      ...{ pullPrice, longestMs, learned, now, until: periodEnd },
    };
    const lowered = lowerCaps(pullCaps, settings);
    const upTo = (until: number) =>
      feeds.reduce((sum, feed) => sum + forecastFeed(feed, { ...terms, until }), 0) / share;
    const wantedUpTo = (until: number) =>
      feeds.reduce((sum, feed) => sum + forecastFeed(feed, { ...terms, until, pullPrice: 0 }), 0) /
      share;
    const dayEnd = endOfDay(budget);
    return {
      plan: state.plan ?? null,
      caps: lowered,
      ...{ deployed: pullCaps, settings },
      day: {
        ...{ start: dayStart, end: dayEnd, spent: budget.daySpent },
        reserved: budget.dayCommitted - budget.daySpent,
        forecast: forecastOf(budget.daySpent, upTo(dayEnd), lowered.daily),
        demand: Math.ceil(budget.daySpent + wantedUpTo(dayEnd)),
      },
      period: {
        ...{ start: periodStart, end: periodEnd, spent: budget.periodSpent },
        reserved: budget.periodCommitted - budget.periodSpent,
        forecast: forecastOf(budget.periodSpent, upTo(periodEnd), lowered.monthly),
        demand: Math.ceil(budget.periodSpent + wantedUpTo(periodEnd)),
      },
      pullsLeft: pullsLeft(budget, lowered),
      isStretched: pullPrice > 0,
      pausedFor: state.pause?.reason ?? null,
      events: await eventCosts(stores, spent, { feeds, isWhole: share === 1, terms }),
      savings: await Promise.all(findSavings(feeds, terms, mostSavings).map(withFacts)),
    };
  };

  /** A new feed gets its event's start by the next reconcile run; until then, read it from the event's facts. */
  async function withStart(feed: Feed): Promise<Feed> {
    if (feed.eventStartsAt !== undefined) return feed;
    const endsAt = pollingEndOf(await stores.eventFacts.find(feed.eventId));
    return endsAt === null ? feed : { ...feed, eventStartsAt: endsAt };
  }

  async function withFacts<Row extends { eventId: number }>(row: Row) {
    return { ...row, facts: await stores.eventFacts.find(row.eventId) };
  }
}

/** Spending can't exceed the cap, however much the feeds ask for. */
function forecastOf(spent: number, expected: number, cap: number): number {
  return Math.min(Math.max(cap, spent), Math.ceil(spent + expected));
}
