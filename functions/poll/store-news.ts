// Stores the result of a poll, records its cost, releases the feed and nudges the evaluation. Every
// step is safe to repeat.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { PollRecord } from '#shared/dynamo/feed-polls.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { decideNextPoll, type NextPoll } from '#shared/polling/cadence.ts';
import { countLook } from '#shared/polling/day-count.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { nextTurn, type TurnTerms } from '#shared/polling/fleet.ts';
import { lookOf } from '#shared/polling/look.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import { recordAfter } from '#shared/polling/price-record.ts';
import type { RecentPrices } from '#shared/polling/recent-prices.ts';
import { isRestOver, restingLookMs } from '#shared/polling/resting.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { faultsAfter, hasNews, lastLiveAt, rhythmAfter } from './after-answer.ts';
import { armFeeds, outlookAt } from './arm-feeds.ts';
import type { Fetched } from './fetch.ts';
import { finishWithMemory } from './finish-with-memory.ts';
import type { LookAhead } from './look-ahead.ts';
import type { RecentOfNews } from './recent-of-news.ts';
import type { RecordCallCost } from './record-call-cost.ts';
import type { StorePriceDays } from './store-price-days.ts';
import type { StoredSnapshots, StoreSnapshots } from './store-snapshots.ts';
import { valueOfNews } from './value-news.ts';

export interface StoredNews {
  newSnapshots: number;
  /** Kinds of faulty data in this answer. */
  setAside: number;
  /** The last market refresh in the answer, epoch milliseconds. */
  newestAt?: number;
  nextPollAt: number;
  nextReason: string;
}

export interface AnsweredCall {
  claim: string;
  reservation: string;
  /** When it was sent, epoch milliseconds. */
  at: number;
  state: MarketState;
  /** The feed was due before, and waited because a cap was used up. */
  isHeldByBudget?: boolean | undefined;
}

export type NewsResult =
  | ({ outcome: 'stored' } & StoredNews)
  /** Storing failed for now; the feed has backed off, and the cost is counted. */
  | { outcome: 'storing_failed'; error: unknown };

export type StoreNews = (feed: Feed, fetched: Fetched, call: AnsweredCall) => Promise<NewsResult>;

interface StoreNewsDeps {
  feeds: Pick<FeedStore, 'finishPoll' | 'clearNudge' | 'pollSooner' | 'setReach'>;
  storeSnapshots: StoreSnapshots;
  storePriceDays: StorePriceDays;
  recentOfNews: RecentOfNews;
  noteLate: (feed: Feed, observedAt: number) => Promise<void>;
  markBehind: (feed: Feed, now: number) => Promise<void>;
  /** Tells the watchers of a resting feed that it is polled again. */
  tellBack: (feed: Feed, now: number) => Promise<void>;
  budget: Pick<BudgetStore, 'read'>;
  recordCallCost: RecordCallCost;
  lookAhead: LookAhead;
  /** The alerts of the feed so far, as its last evaluation counted them. */
  alertsOf: (feed: Feed) => Promise<number>;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
  assumptions: BillingAssumptions;
}

/** The next poll of a feed that rests. */
interface Rest {
  nextPollAt: number;
  reason: 'over';
}

/** The use case of one answer. */
export function createStoreNews(deps: StoreNewsDeps): StoreNews {
  return async function storeNews(feed, fetched, call) {
    const newest = fetched.snapshots.at(-1);
    let stored: StoredSnapshots;
    let outlook: Awaited<ReturnType<typeof outlookAt>>;
    let recent: RecentPrices | undefined;
    try {
      [stored] = await Promise.all([
        deps.storeSnapshots(fetched, lookOf(feed, call)),
        deps.storePriceDays(feed, fetched, call.at),
      ]);
      for (const at of stored.lateAt) await deps.noteLate(feed, at);
      outlook = await outlookAt(deps.lookAhead, newest);
      const of = { triggers: outlook?.triggers, now: call.at };
      recent = await deps.recentOfNews(feed, fetched, of);
    } catch (error) {
      return fail(feed, fetched, { call, error });
    }
    const cost = await recordCost(feed, fetched, call);
    const rhythm = rhythmAfter(feed, fetched, { lateAt: stored.lateAt, polledAt: call.at });
    const lastPaidAt = fetched.pulls > 0 ? call.at : feed.lastPaidAt;
    const distance = outlook ? (outlook.distance ?? undefined) : feed.distance;
    const plan = await readPlan(call);
    const value = valueOfNews(feed, {
      ...{ snapshots: fetched.snapshots, rhythm, triggers: outlook?.triggers ?? [] },
      ...{ alerts: newest ? await deps.alertsOf(feed) : 0, learned: plan.learned },
    });
    const watches = cost.watches ?? feed.watches;
    const seen = { ...feed, rhythm, ...(value && { value }), watches };
    const live = lastLiveAt(fetched.snapshots);
    const isBack = isRestOver(feed.status, live, call.at);
    const isResting = feed.status !== 'active' && !isBack;
    const next: NextPoll | Rest = isResting ? restOn(call.at) : nextTurn(seen, plan);
    const owesNudge = hasNews(feed, fetched) || stored.lateAt.length > 0;
    const faults = { ...fetched.faults, ...stored.faults };
    // Before the feed is released: if this worker dies, reconcile finds the evaluation in its index.
    if (owesNudge) await deps.markBehind(feed, call.at);
    const record: PollRecord = {
      ...cost,
      ...fetched.memory,
      ...{ rhythm, lastPaidAt, distance, failures: 0, missing: 'found' },
      setAside: faultsAfter(feed.setAside, faults, { hasNews: stored.created > 0, now: call.at }),
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
      ...('why' in next && { nextWhy: next.why }),
      ...(value && { value }),
      lastPolledAt: call.at,
      dayCount: countLook(feed.dayCount, { at: call.at, pulls: fetched.pulls }),
      lastSnapshotAt: newest?.observedAt ?? feed.lastSnapshotAt,
      lastLiveAt: live,
      recent,
      record: recordAfter(feed.record, fetched.snapshots),
      ...(isBack && { status: 'active' }),
      ...(owesNudge && { owesNudge }),
      settles: true,
    };
    const finished = await finishWithMemory(deps.feeds, { feed, claim: call.claim, record });
    if (isBack) await deps.tellBack(feed, call.at);
    if (owesNudge) await passOn(feed);
    if (finished && finished.watchersChangedAt > call.at)
      await deps.feeds.pollSooner(feed, call.at);
    if (outlook) await armFeeds(deps.feeds, outlook, call.at);
    return {
      outcome: 'stored',
      newSnapshots: stored.created,
      setAside: Object.keys(faults).length,
      ...(newest && { newestAt: newest.observedAt }),
      nextPollAt: next.nextPollAt,
      nextReason: next.reason,
    };
  };

  function recordCost(feed: Feed, fetched: Fetched, { claim, at, reservation }: AnsweredCall) {
    const newest = fetched.snapshots.at(-1);
    return deps.recordCallCost(feed, {
      ...{ claim, at, reservation, pulls: fetched.pulls, reason: fetched.reason },
      state: certaintyOf(feed, fetched),
      isAnswered: true,
      ...(newest && { refreshAt: newest.observedAt }),
    });
  }

  /**
   * A storage failure counts as a failure of the feed, like a failed call. The cost counts, and the feed
   * remembers the data it paid for, because repeating the call is free.
   */
  async function fail(
    feed: Feed,
    fetched: Fetched,
    { call, error }: { call: AnsweredCall; error: unknown },
  ): Promise<NewsResult> {
    const { claim, at } = call;
    const failures = feed.failures + 1;
    const cost = await recordCost(feed, fetched, call);
    const next = decideNextPoll({
      ...{ now: at, wishedMs: feed.latencySeconds * 1_000, rhythm: feed.rhythm, failures },
      freeWhenQuiet: true,
    });
    const faults = { storing: 'The market’s data could not be stored; the feed is retried.' };
    await deps.feeds.finishPoll(feed, claim, {
      ...cost,
      ...{ failures, nextPollAt: next.nextPollAt, nextReason: next.reason, settles: true },
      paidThrough: fetched.memory?.paidThrough,
      lastPaidAt: fetched.pulls > 0 ? at : feed.lastPaidAt,
      setAside: faultsAfter(feed.setAside, faults, { hasNews: false, now: at }),
    });
    return { outcome: 'storing_failed', error };
  }

  async function readPlan({ at, state }: AnsweredCall): Promise<TurnTerms> {
    const { pullPrice = 0, longestMs, learned = priorLearning } = (await deps.budget.read()) ?? {};
    const freeWhenQuiet = isFreeWhenQuiet(state.plan, deps.assumptions);
    return { pullPrice, longestMs, learned, freeWhenQuiet, now: at };
  }

  async function passOn({ eventId, kind }: Feed): Promise<void> {
    await deps.sendNudge({ eventId, kind });
    await deps.feeds.clearNudge({ eventId, kind });
  }
}

/**
 * If the previous call was lost or failed, it may already have been charged for this data, so the cost is
 * unsettled until the marketplace's usage shows it.
 */
function certaintyOf(feed: Feed, { pulls, isUncertain }: Fetched): 'settled' | 'unsettled' {
  if (isUncertain) return 'unsettled';
  return pulls > 0 && (feed.call || feed.failures > 0) ? 'unsettled' : 'settled';
}

/** An ended event without new data is looked at again a day later. */
function restOn(now: number): Rest {
  return { nextPollAt: now + restingLookMs, reason: 'over' };
}
